"""The paragraph and the summary of the template writer: order, words, and what is left unsaid."""

from __future__ import annotations

import pytest

from retrieval.models import ChangeKind, Delta, EvidenceKind, Ledger, Nature, OperatorRole, Relation, UpstreamChange
from reviewbot.citations import render_citations
from reviewbot.drafting import TEMPLATE_VERSION, WRITER, write_draft
from reviewbot.models import Draft
from reviewbot.rubric import judge, load_rubric
from tests.support.values import (
    case,
    change,
    changed_file,
    config,
    definition,
    delta,
    fork,
    hook,
    imported,
    ledger,
    missing,
    moved,
    operator,
    override,
    parameter_added,
    patch,
    reference,
    registration,
    renamed,
    resigned,
    subclass,
)

LOWERED = delta(resigned(operators=("aten.spin",)), operator(kind=ChangeKind.RESIGNED), case())
OWN_LOWERING = ledger(
    registration(lacks=("quiet",), signature_matches=False, replacement="spin", downstream_signature="(x)"),
    hook(),
    missing("twist"),
)


def draft_of(given: Delta, found: Ledger, of: UpstreamChange | None = None) -> Draft:
    changed = of or change()
    return write_draft(changed, given, found, judge(changed, given, found, load_rubric()))


def sentences(given: Delta, found: Ledger, of: UpstreamChange | None = None) -> list[str]:
    return draft_of(given, found, of).analysis.rstrip("。").split("。")


# --- the paragraph ----------------------------------------------------------------------------------------------------


def test_a_registration_without_the_new_parameter_end_to_end() -> None:
    assert sentences(LOWERED, OWN_LOWERING) == [
        "本 PR 属 A 轨，改动 torch/_mill/gears.py（+3/-1）：为 spin 的 lowering 新增仅关键字参数 quiet=False",
        "[E1] 以 register_lowering 为 aten.spin 注册了 spin，签名 (x) 缺少参数 quiet",
        "[E2] 是同模块挂钩点，作用于 stop，不属于被改符号",
        "全词检索：[Z1]",
        "耦合链路：aten.spin → [E1] → 上游按新签名传入 quiet=False 时抛 TypeError，编译中断",
        "影响类型：接口不兼容，编译期报错",
        "适配方案：需为 [E1] 的签名补上 quiet=False，取值语义与上游一致",
        "验证方法：在 NPU 设备上运行 test/mill/test_gears.py 的 TestGears.test_spin",
        "潜在风险：不传 quiet 的用例照常通过，问题只在新调用路径暴露",
    ]


def test_a_record_without_coupling_is_short_and_counts_its_misses() -> None:
    told = sentences(delta(definition("spin"), definition("Gear.turn")), ledger(missing("spin"), missing("turn")))
    assert told == [
        "本 PR 属 A 轨，改动 torch/_mill/gears.py（+3/-1）：改写 spin、Gear.turn",
        "torch_npu 全词检索：[Z1]、[Z2]",
        "影响类型：行为变化经沿用的上游代码生效，无需适配",
    ]


def test_a_partial_diff_gets_no_figures() -> None:
    partial = change("torch/_mill/gears.py", "torch/_mill/box.py", "torch/_mill/rod.py", diff_complete=False)
    draft = draft_of(delta(definition()), ledger(missing("spin")), partial)
    assert draft.analysis.startswith("本 PR 属 A 轨，改动 torch/_mill/gears.py、torch/_mill/box.py 等：改写 spin。")
    assert not any(sign in draft.summary + draft.analysis for sign in ("+", "-1", "共", "个文件"))


def test_a_whole_diff_is_sized_and_its_other_files_are_counted() -> None:
    whole = change(changed_file("torch/_mill/gears.py", 40, 2), "torch/_mill/box.py", "torch/_mill/rod.py")
    first = sentences(delta(definition()), ledger(missing("spin")), whole)[0]
    assert "torch/_mill/gears.py（+40/-2）、torch/_mill/box.py（+3/-1）等 3 个文件" in first


def test_code_to_change_is_only_proposed_where_it_must_change() -> None:
    told = "".join(sentences(delta(definition()), ledger(reference())))
    assert "适配方案" not in told
    assert "待确认项" not in told
    assert "待确认项：比对 [E1] 的替换体" in "".join(sentences(delta(definition()), ledger(patch())))


def test_after_a_revert_all_is_conditional() -> None:
    gone = change(reverted=True)
    told = sentences(delta(resigned()), ledger(patch(lacks=("quiet",), signature_matches=False)), gone)
    assert "该 PR 已被 Revert" in told
    assert "适配方案：若重新合入，需为 [E1] 的签名补上 quiet=False" in told
    assert any(one.startswith("验证方法：重新合入后在 NPU 设备上") for one in told)


_BOTH = (EvidenceKind.FORK, EvidenceKind.REGISTRATION)


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (patch(), "[E1] 以 spin_npu 替换 spin（赋值式 patch），未回调原实现"),
        (patch(calls_original=True), "[E1] 以 spin_npu 包裹 spin（赋值式 patch），并回调原实现"),
        (patch(calls_original=None, replacement=None), "[E1] 替换了 spin（赋值式 patch）"),
        (imported(), "[E1] 导入 spin"),
        (reference(), "[E1] 的 spin_npu 引用 spin"),
        (reference(scope="<module>"), "[E1] 引用 spin"),
        (reference(path="test/test_gears.py"), "[E1] 的 spin_npu 引用 spin，位于测试代码中"),
        (fork(), "[E1] 是 spin 的 fork 副本"),
        (fork(copy_state="carries_old_code"), "[E1] 是 spin 的 fork 副本，仍含旧代码"),
        (
            fork(registrar="register_lowering", kinds=_BOTH),
            "[E1] 是 spin 的 fork 副本，以 register_lowering 注册",
        ),
        (fork(copy_state="diverged"), "[E1] 是 spin 的 fork 副本，与新旧两版均有出入"),
        (hook(), "[E1] 是同模块挂钩点，作用于 stop，不属于被改符号"),
        (hook(relation=Relation.SAME_PACKAGE), "[E1] 是同一包内的挂钩点，作用于 stop，不属于被改符号"),
        (reference("sympy.cancel", relation=Relation.TOUCHED), "[E1] 与被改代码同样用到 sympy.cancel"),
        (reference("torch._mill.config.patch", relation=Relation.TOUCHED), "[E1] 与被改代码同样用到 config.patch"),
        (registration("aten.spin_as", relation=Relation.SIBLING), "[E1] 注册了 aten.spin_as，与被改算子同族"),
        (
            registration("aten.spin_as", relation=Relation.SIBLING, registrar="FALLBACK_LIST", listed=True),
            "[E1] 的名单列有 aten.spin_as，与被改算子同族",
        ),
        (registration(registrar="supported"), "[E1] 以 supported 注册了 aten.spin"),
        (registration(registrar="META_BLACKLIST", listed=True), "[E1] 将 aten.spin 列于 META_BLACKLIST"),
        (hook("torch._mill.gears.spin", relation=Relation.REPLACEMENT), "[E1] 是 spin 的替换体"),
        (hook("torch._mill.gears.Gear", relation=Relation.HEIR), "[E1] 用到 Gear 的下游子类"),
        (
            reference("torch._mill.gears.spin_rate", relation=Relation.AKIN),
            "[E1] 用到 spin_rate，与改动有共同的少见词，不属于被改符号",
        ),
        (
            hook("torch._mill.gears", relation=Relation.ABOUT, token="spin_rate"),
            "[E1] 与改动用词相近，见于 spin_rate，不属于被改符号",
        ),
        (
            reference("torch._mill.wheels.roll", relation=Relation.CONSUMER),
            "[E1] 用到 roll，其上游实现直接或间接用到被改模块的代码",
        ),
        (
            imported("torch._mill.wheels.roll", relation=Relation.CONSUMER),
            "[E1] 导入 roll，其上游实现直接或间接用到被改模块的代码",
        ),
        (
            patch("torch._mill.wheels.roll", relation=Relation.CONSUMER),
            "[E1] 替换了 roll（赋值式 patch），其上游实现直接或间接用到被改模块的代码",
        ),
        (reference(relation=Relation.SAME_NAME), "[E1] 有同名属性 spin，所属对象无法静态确定"),
    ],
)
def test_each_kind_is_said_by_its_own_words(item: object, said: str) -> None:
    from retrieval.models import EvidenceItem

    assert isinstance(item, EvidenceItem)
    assert said in sentences(delta(definition()), ledger(item))


def test_classes_are_said_by_what_they_inherit_or_override() -> None:
    turn = "torch._mill.gears.Gear.turn"
    heir = subclass(turn, base="torch._mill.gears.Gear", relation=Relation.ENCLOSING)
    both = delta(definition("Gear.turn"), definition("Gear.stop"))
    assert "[E1] 的 NPUGear 继承 Gear，沿用改动后的 Gear 的 turn、stop" in sentences(both, ledger(heir))
    over = ledger(override(calls_original=True))
    assert "[E1] 的 NPUGear.turn 覆写 Gear.turn，并回调上游实现" in sentences(both, over)
    near = ledger(imported(turn, relation=Relation.ENCLOSING, token="Gear"))
    assert "[E1] 导入 Gear，即被改成员所在的类" in sentences(both, near)


def test_places_of_one_kind_share_a_sentence() -> None:
    found = ledger(imported(), imported(path="mill_npu/b.py"), imported(path="mill_npu/c.py"))
    assert "[E1]、[E2]、[E3] 导入 spin" in sentences(delta(definition()), found)
    twice = ledger(reference(scope="a_npu"), reference(scope="b_npu", path="mill_npu/b.py"))
    assert "[E1]、[E2] 的 a_npu、b_npu 引用 spin" in sentences(delta(definition()), twice)


def test_only_measured_details_are_said() -> None:
    told = "".join(sentences(delta(resigned()), ledger(patch(calls_original=None, signature_matches=None))))
    assert "回调原实现" not in told
    assert "签名与上游" not in told
    assert "签名与上游兼容" in "".join(sentences(delta(resigned()), ledger(patch(signature_matches=True))))


def test_a_parameter_the_replacement_never_took_is_not_told() -> None:
    told = "".join(sentences(delta(resigned()), ledger(patch(lacks=("quiet", "torque"), signature_matches=False))))
    assert "缺少参数 quiet" in told
    assert "torque" not in told


# --- acts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "act"),
    [
        (delta(renamed("spin", "rotate")), "spin 改名为 rotate"),
        (delta(moved()), "spin 由 torch._mill.wheels 移至 torch._mill.gears"),
        (delta(definition(kind=ChangeKind.ADDED)), "新增 spin"),
        (delta(definition(kind=ChangeKind.REMOVED)), "删除 spin"),
        (delta(definition("spin.inner", ChangeKind.ADDED)), "改写 spin"),
        (delta(definition("Gear", ChangeKind.ADDED), definition("Gear.turn", ChangeKind.ADDED)), "新增 Gear"),
        (delta(definition("Gear.a"), definition("Gear.b")), "改写 Gear 的 a、b"),
        (delta(definition("a"), definition("b"), definition("c"), definition("d")), "改写 a、b、c 等"),
        (delta(definition(kind=ChangeKind.REFORMATTED, nature=Nature.COMMENT)), "调整 spin 的注释"),
        (delta(definition(nature=Nature.LOGGING)), "调整 spin 的日志"),
        (delta(config()), "配置项 torch._mill.config.turbo 默认值由 False 改为 True"),
        (delta(config(kind=ChangeKind.REMOVED)), "删除配置项 torch._mill.config.turbo"),
        (delta(config(kind=ChangeKind.ADDED, old=None)), "新增配置项 torch._mill.config.turbo=True"),
        (delta(operator(kind=ChangeKind.ADDED, role=OperatorRole.DECOMPOSITION)), "新增 aten.spin 的分解"),
        (delta(case()), "仅涉及测试"),
    ],
)
def test_what_the_change_does_in_words(given: Delta, act: str) -> None:
    assert (
        sentences(given, ledger(missing("spin")))[0]
        == f"本 PR 属 {_track(given)} 轨，改动 torch/_mill/gears.py（+3/-1）：{act}"
    )


def _track(given: Delta) -> str:
    return judge(change(), given, ledger(missing("spin")), load_rubric()).track.value


def test_the_breaking_signature_comes_first() -> None:
    breaking = resigned("stop", parameter_added("speed", None, breaking=True), added=1)
    first = sentences(delta(resigned(added=50), breaking), ledger(missing("spin")))[0]
    assert first.index("speed") < first.index("quiet")


# --- summary ----------------------------------------------------------------------------------------------------------


def test_the_summary_tells_act_title_and_size() -> None:
    fix = change(changed_file(added=11), title="[mill][fix] Accept quiet in spin (#123)")
    assert draft_of(LOWERED, OWN_LOWERING, fix).summary == (
        "上游为 spin 的 lowering 新增仅关键字参数 quiet=False，标题为《Accept quiet in spin》，共 12 行。"
    )


def test_the_summary_of_a_reverted_change_says_so_instead_of_its_size() -> None:
    summary = draft_of(delta(definition()), ledger(missing("spin")), change(reverted=True)).summary
    assert summary.endswith("，已被 Revert。")
    assert "共" not in summary


def test_a_long_english_title_is_left_out_rather_than_mistranslated() -> None:
    long = change(
        title="Make the very long gear train turn the other way when all of its wheels are worn out and rusty"
    )
    assert draft_of(delta(definition()), ledger(missing("spin")), long).summary == "上游改写 spin，共 4 行。"


def test_a_change_nobody_could_read_falls_back_to_its_title_and_files() -> None:
    assert (
        draft_of(delta(), ledger(missing("gear"))).summary
        == "上游提交的改动标题为《Turn the gears the other way》，共 4 行。"
    )
    assert (
        draft_of(delta(), ledger(missing("gear")), change(title="")).summary
        == "上游改动 torch/_mill/gears.py，共 4 行。"
    )
    nothing = UpstreamChange()
    assert draft_of(delta(), ledger(missing("gear")), nothing).summary == "上游改动未附标题与可解析的 diff。"


# --- verification -----------------------------------------------------------------------------------------------------


def test_tests_are_named_by_case_then_by_file_then_by_what_they_reach() -> None:
    coupled = ledger(reference())
    by_name = change(test_names=("test/mill/test_gears.py::TestGears::test_back",))
    assert (
        "运行 test/mill/test_gears.py 的 TestGears.test_back"
        in draft_of(delta(definition()), coupled, by_name).analysis
    )
    by_file = change(other_paths=("test/mill/test_gears.py",))
    assert "test/mill/test_gears.py 中覆盖 spin 的用例" in draft_of(delta(definition()), coupled, by_file).analysis
    assert "运行覆盖 spin 的用例，与 CPU 结果比对" in draft_of(delta(definition()), coupled).analysis
    compiled = delta(definition(path="torch/_inductor/gears.py"))
    on_compile = ledger(reference("torch._inductor.gears.spin"))
    told = draft_of(compiled, on_compile, change("torch/_inductor/gears.py")).analysis
    assert "编译运行覆盖 spin 的用例，与 eager 结果比对" in told


# --- length -----------------------------------------------------------------------------------------------------------


def test_the_least_important_sentences_go_first() -> None:
    deep = "mill_npu/" + "very_deep_folder_of_wheels/" * 3
    found = [patch(f"torch._mill.gears.g{n}", path=f"{deep}g{n}.py", scope=f"g{n}_npu") for n in range(8)]
    many = delta(*(definition(f"g{n}") for n in range(8)))
    book = ledger(*found, hook(path=f"{deep}hook.py"), missing("spin"))
    draft = draft_of(many, book)
    assert len(render_citations(draft.analysis, book)) < 900
    assert "[E1]" in draft.analysis
    assert "待确认项" in draft.analysis
    assert "挂钩点" not in draft.analysis


def test_the_draft_keeps_the_labels_and_names_its_writer() -> None:
    prior = judge(change(), LOWERED, OWN_LOWERING, load_rubric())
    draft = write_draft(change(), LOWERED, OWN_LOWERING, prior)
    assert draft.labels == prior.labels
    assert draft.writer == WRITER == "template"
    assert TEMPLATE_VERSION.startswith("template-")
