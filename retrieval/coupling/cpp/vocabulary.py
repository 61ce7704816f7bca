"""C++ words that couple nothing: what every file of a backend uses of PyTorch, of the language and of its library."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Upstream names and macros of every second function.
EVERYWHERE = _words(
    """
    AT_ASSERT AT_ERROR ArrayRef C10_API C10_EXPORT C10_UNUSED IntArrayRef PyObject PyTuple_New Py_RETURN_NONE
    Scalar ScalarType TORCH_API TORCH_CHECK TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK_VALUE TORCH_INTERNAL_ASSERT
    TORCH_WARN TORCH_WARN_ONCE Tensor TensorList at.ArrayRef at.IntArrayRef at.Scalar at.ScalarType at.Tensor
    at.TensorList at.kBFloat16 at.kBool at.kByte at.kDouble at.kFloat at.kHalf at.kInt at.kLong c10.ArrayRef
    c10.Device c10.DeviceIndex c10.DeviceType c10.IntArrayRef c10.Scalar c10.ScalarType c10.SmallVector
    c10.intrusive_ptr c10.make_intrusive c10.nullopt c10.optional c10.string_view torch.IntArrayRef torch.Scalar
    torch.Tensor
    """
)
# Members of containers and of tensors: called on anything, they tell no class apart.
PLAIN_MEMBERS = _words(
    """
    append assign at attr back begin c_str capacity cast clear close compare contiguous count data data_ptr
    defined detach device dim dtype emplace emplace_back empty end erase exchange fetch_add fetch_sub find
    find_first_of find_last_of first flush front get good has_value index insert is_contiguous is_open item join
    layout length load lock max_size notify_all notify_one numel open options pop_back push_back read release
    reserve reset resize scalar_type second size sizes storage storage_offset store str stride strides substr
    swap sym_sizes time_since_epoch toBool toInt toTensor unlock unsafeGetTensorImpl valid value value_or wait
    wait_for what write
    """
)
# Keywords that a bracket or a type may follow.
KEYWORDS = _words(
    """
    alignas alignof assert auto break catch class const const_cast constexpr continue decltype default defined
    delete double dynamic_cast explicit extern false final float for friend if inline mutable namespace noexcept
    nullptr operator override private protected public reinterpret_cast return signed sizeof static
    static_assert static_cast struct switch template throw true typedef typeid typename union unsigned using
    virtual volatile while
    """
)
