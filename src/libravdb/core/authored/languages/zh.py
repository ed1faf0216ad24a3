"""Chinese. Words are found by the longest match over this file; what is not here is read character by character."""

from __future__ import annotations

import re

from libravdb.core.authored.languages.grammar import (
    OBLIGATION,
    PERMISSION,
    PROHIBITION,
    Construction,
    DeonticLanguage,
    Modal,
    by_modality,
    phrases,
    words,
)

_VERBS = words("""
读取 读 查看 查询 打印 调用 传递 抛出 捕获 启动 启用 禁用 停用 重启 升级 降级 下载 上传 复制 粘贴 移动 重构 抽取
提取 集中 归类 分类
汇总 对比 比较 核对 核实 复查 预约 预订 预留 购买 支付 交 寄 发送 转发 抄送 邀请 叫醒 关掉 调整 调低 调高 设为 设定
换成 改成 改用 改为
换算 显示 展示 标明 署名 登录 填写 整理 打扫 清洗 存到 写成 写入 写上 附上 附带 留出 留意 遵从 参考 参照 依照 从
说 先说
把 将 给 按 按照 排列 排序 签名 安排 保管 补充 部署 存储 存放 订 定义 对齐 归档 划分 回滚 监控 加上 加入 校验 解决
紧跟 精简 控制 联系 留 命名 排除 拼写 评审 签署 清理 确定 设置 声明 审查 审核 实现 试 收集 缩写 锁定 替换 贴 同步
统一 推送 问 先问 写明 重命名 重试 转换 转换 遮盖 注释 准备 遵照 浇 喂 跑 备注 上报 统计 压缩 翻译成 隐藏 过滤 拆成
优先 优化 使用 保存 保护 保持 保留 修复 关闭 写 列出 创建 删除 加密 合并 告诉我 回复 回答 坚持 处理 备份 安装
尊重 尽可能 引用 总结 打开 执行 报告 拆分 提交 提供 提醒 更新 标注 标记 格式化 检查 注明 测试 添加 生成 用 确认
称呼 简化 给出 编写 翻译 解释 记录 询问 说明 输出 运行 返回 选择 通知 遵守 遵循 避免 配置 采用 限制 验证
""")

CHINESE = DeonticLanguage(
    code="zh",
    is_spaced=False,
    common=words("""
    前端 前面 前后 目前 当前 提前 面前 眼前 从前 前提 前缀 前天 后端 后面 后来 后果 后台 背后 此后 后缀 后天 售后
    后续 及时 同时 准时
    时间 随时 按时 实时 临时 小时 有时 平时 当时 时区 时刻 时机 定时 超时 前者 后者
    要求 要点 要不 主要 需求 获得 取得 得到 显得 值得 懂得 使得 得分 应用 反应 响应 相应 适应 供应 效应 对应 应答
    特别 分别 区别 错别字 别墅 请求 申请 请假 请客 邀请函
    级别 类别 别人 别的 个别 性别 识别 作用 费用 有用 没用 用法 用途 利用 调用 信用 改写 记忆 日记 笔记 登记 将来
    即将 把握 按钮 按键
    只要 想要 不要脸 要紧 得意 晓得 舍得 用心 用力 常用 通用 适用 试用 用完 用得 必要 摘要 概要 纪要 给予 发给
    一个 不仅 不同 不少 不得不 不断 不经 与 个 也 了 从 以 向 和 在 太 对 就 很 或 才 把 是 未经 没有 用 的 给 被 还
    这 这个 那 那个 都
    """),
    speaker=words("我 本人 咱"),
    addressee=words("你 您 你们"),
    group=words("我们 咱们"),
    others=words("他 她 他们 她们"),
    things=words("这 那 它 它们 这个 那个"),
    whoever=words("谁"),
    styled=phrases("缩进 | 引号 | 行宽 | 行长 | 换行符"),
    formerly=words("从前 过去 当时 那时 曾经 昨天 昨晚 上周 去年"),
    formerly_first=words("以前 之前"),
    holding=words("容纳 存放 存储 达到 支持 承载 装下 处理"),
    located=words("里 内 上 中 期间"),
    people=words("用户 代理 助手 开发者 贡献者 所有人 任何人 大家 客人 孩子 孩子们"),
    relatives=words("妈妈 爸爸 哥哥 姐姐 弟弟 妹妹 老板 医生 丈夫 妻子 朋友 同事 老师说"),
    nobody=words("没有人 无人 任何人都不"),
    question_words=words("为什么 怎么 怎样 谁 哪里 什么时候 何时 哪个"),
    question_ends=words("吗 呢 吧"),
    reporting=words("说 写道 告诉 表示 认为 据说 根据 声称 指出 建议过 问 喊 回答说 警告说 觉得"),
    hedges=phrases("可能 | 也许 | 大概 | 或许 | 我觉得 | 我想 | 我认为 | 好像"),
    small_talk=phrases("""
    把链接发 | 一起去 | 发给我 | 好好休息 | 好好睡 | 早日康复 | 你一定要看 | 你一定要来 | 你一定要试 | 替我向 | 代我向
    坚持住 | 挺住 | 放松 | 玩得 | 不一定 | 不会吧 | 不可能 | 不好意思 | 不客气 | 不用谢 | 不知道 | 不要紧 | 不见不散
    你好 | 你说得对 | 保重
    再见 | 别介意 | 别放弃 | 别灰心 | 别难过 | 别客气 | 别开玩笑 | 别急 | 别担心 | 别提了 | 别闹 | 加油 | 听起来
    回头见 | 多谢 | 太好了
    好吧 | 对不起 | 恭喜 | 您好 | 感谢 | 抱歉 | 早上好 | 明天见 | 晚上好 | 晚安 | 没事 | 没关系 | 没办法 | 没问题
    看看 | 祝你 | 祝您 | 等一下 | 等等 | 请稍等 | 请问 | 谢谢你 | 辛苦了 | 随便 | 非常感谢
    """),
    status_labels=words("错误 结果 输出 状态 答案 失败 警告 异常 答"),
    past=words("昨天 前天 上周 去年 刚才 之前曾"),
    momentary=words("今天 明天 今晚 待会"),
    leads=phrases("""
    一般来说 | 工作日 | 周末 | 上午 | 下午 | 早上 | 晚上 | 中午 | 一 | 二 | 三 | 四 | 五 | 六 | 七 | 八 | 九 | 十
    号 | 点 | 半 | 小时 | 分钟 | 内 | 不过 | 就 | 那就 | 哦 | 对 | 另 | 同时 | 也 | 今后 | 从今以后 | 从现在开始
    以后 | 但 | 但是 | 先 | 其次 | 再 | 及时 | 另外 | 只
    否则 | 嗯 | 嘿 | 因此 | 好 | 好的 | 定期 | 对了 | 尽快 | 尽量 | 所以 | 最后 | 每周 | 每周一 | 每周二 | 每周三
    每周四 | 每周五 | 每周六 | 每周日 | 每月 | 每年 | 每晚 | 每天 | 每天早上 | 每天晚上
    每次 | 注意 | 然后 | 现在 | 直接 | 立即 | 经常 | 而且 | 认真 | 请 | 谢谢 | 还 | 还有 | 那么 | 都 | 重要 | 首先
    马上 | 麻烦 | 麻烦你 | 默认情况下
    """),
    greetings=words("谢谢 你好 好的 嗯"),
    markers=words("请 务必 始终 总是 不要 别 请勿 切勿 禁止"),
    subordinators=words("如果 要是 假如 当 因为 虽然 除非 只要 一旦 每当 若"),
    openers=words("在 对于 关于 为了 除了"),
    closers=words("之前 之后 以前 时候 时 前 后"),
    adverbs=words("再 总是 都 也 一定 随意 直接 先"),
    finite=words("不得 必须 应该 应当 需要 可以 不能 禁止 允许 要 在 是 有 会 已 正在 不应"),
    formulas=by_modality(
        obligation="""
        请 |
        不要忘记 | 你叫 | 你的任务是 | 你的名字是 | 你的职责是 | 别忘了 | 务必 | 叫我 | 始终 | 我希望你 | 我想让你
        我要你 | 永远 | 牢记 | 确保 | 记住 | 记得 | 请叫我 | 请注意 | 请记住
        """,
        prohibition="""
        不允许 | 不准 | 不要 | 不许 | 严禁 | 停止 | 切勿 | 别 | 勿 | 千万不要 | 千万别 | 我不希望你 | 我不想让你
        我希望你不要 | 拒绝 | 杜绝 | 永远不要 | 禁止 | 绝不 | 绝不要 | 请不要 | 请勿 | 避免
        """,
        permission="""
        不必 | 不用 | 允许 | 无需
        """,
    ),
    modals=(
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION)
            for form in (
                "不超过",
                "不少于",
                "不低于",
                "不高于",
                "不大于",
                "不小于",
                "控制在",
                "必须",
                "应该",
                "应当",
                "务必",
                "需要",
                "需",
                "应",
                "要",
                "必需",
                "须",
                "一律",
                "统一",
                "都得",
                "就得",
                "还得",
                "也得",
                "总得",
                "你得",
                "您得",
            )
        ),
        *(
            Modal(phrase=form, affirmed=PROHIBITION, denied=PERMISSION)
            for form in (
                "不得",
                "不应该",
                "不应当",
                "不应",
                "不能",
                "不可",
                "不可以",
                "不准",
                "不许",
                "不要",
                "禁止",
                "严禁",
                "不允许",
                "绝不能",
                "不得不能",
                "绝不",
                "请勿",
                "切勿",
                "别",
            )
        ),
        *(Modal(phrase=form, affirmed=PERMISSION, denied=PROHIBITION) for form in ("可以", "允许", "可自由", "可选")),
        *(
            Modal(phrase=form, affirmed=PERMISSION, denied=PERMISSION)
            for form in ("不必", "不需要", "无需", "不用", "无须")
        ),
    ),
    frames=(
        Construction(
            pattern=re.compile(
                r"^(?:温 度|价 格|日 期|时间|单 位|货 币|金 额|距 离|文 件 名|变 量 名|文档|标 题|缩 进|注释|提交 信息)"
                r" (?:用|使用|采用) "
            ),
            modality=OBLIGATION,
        ),
        # "生成的文件不手工修改"
        Construction(
            pattern=re.compile(r"^(?!(?:我|我们|他|她|他们)\b)(?:\S+ ){1,8}(?:不|从 不) (?:手 工|手 动) "),
            modality=PROHIBITION,
        ),
        # "价格用欧元表示": in what a thing is given.
        Construction(
            pattern=re.compile(
                r"^(?!(?:我|我们|他|她|他们|你|您)\b)(?:\S+ ){1,6}(?:用|使用|采用)"
                r" (?:\S+ ){1,8}(?:表 示|表示|书 写|编写|回答|命名|撰 写|标注)$"
            ),
            modality=OBLIGATION,
        ),
    ),
    frame_words=words("用 采用 手工 手动"),
    negations=words("不"),
    verbs=_VERBS,
    noun_verbs=words("""
    生成 创建 测试 提交 记录 检查 报告 说明 更新 回答 处理 总结 合并 返回 输出 执行 配置 安装
    使用 运行 评审 监控 部署 注释
    推送 查询 调用 升级 下载 上传 分类 比较 预约 预订 支付 显示 登录 参考 整理 审查 审核
    定义 设置 统计 备注 翻译 解释 选择 限制 验证 命名 同步
    """),
    compounds=words("""
    人 脚本 工具 团队 记录 日志 报告 结果 信息 历史 列表 状态 率 数据 用例 计划 说明 员 费 时间 次数 环境 文档 流程
    器 者 方式 方法
    情况 效果
    量 中心 规则 系统 页面 进度 权限 类型 编号 版本 顺序 一 二 三 四 五
    """),
    errands=words("给 把 讲"),
    for_speaker=words("我"),
    standing=words("每 每次 每天 如果 始终 总是 都 以后"),
    partitive=words("的"),
    conditions=words("如果 要是 假如 若 一旦 每当"),
    past_alike=_VERBS,
    past_marks=words("了 过"),
    daily=words("来 吃 喝 睡 睡觉 上班 上学 出差 早起 加班"),
    dated=words("今天 明天 今晚"),
    past_forms=words("失败 成功 完成 通过 了 结果 正在 已"),
    identity=phrases("你是 | 您是 | 你不是"),
    articles=words("一 一个 一位 一名 专业 资深 个 位 名 我"),
    praise=words("天才 最棒 好人 对的 傻瓜 在 一定"),
    perfect=words("已经"),
    being=words("是"),
    states=words("在 开玩笑"),
    guessed=words("有 帮助 没问题 没 会 是 已经 好了 快"),
    filler=words("""
    不 不得 不能 不要 也 了 你 使用 允许 再 切勿 别 务必 可以 吧 始终 应当 应该 必须 您 我 把 用 的 确保 禁止 被 要
    记住 请 请勿 避免 都 需要
    """),
    vague=words("好 好的 良好 合适 适当 合理 正确 优秀 高质量 质量 代码 写 做 事情 一切 最佳 实践 最佳实践 认真"),
    open_ended=phrases("视情况而定 | 如有必要 | 酌情 | 必要时 | 适当时"),
)
