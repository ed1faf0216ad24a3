"""How one asks for an attribute in Chinese."""

from collections.abc import Mapping

from libravdb.model import AttributeKind

CHINESE: Mapping[AttributeKind, tuple[str, ...]] = {
    AttributeKind.HOME: (
        "住在?哪",
        "住哪",
        "哪个城市",
        "(?:我的|我家)(?:地址|住址)",
        "我的住址",
        "地址是",
    ),
    AttributeKind.WORK: (
        "在哪(?:里|儿|家)?.{0,4}(?:工作|上班)",
        "做什么工作",
        "我的(?:工作|职业|公司|单位|老板是)",
    ),
    AttributeKind.CONTACT: ("(?:电话|手机|邮箱|联系方式|号码)",),
    AttributeKind.HEALTH: (
        "过敏",
        "忌口",
        "(?:什么)?病",
        "吃什么药",
        "不能吃",
    ),
    AttributeKind.DIET: (
        "吃素",
        "饮食",
        "(?:晚饭|午饭|晚餐)?(?:吃|做)什么(?:菜|饭)?",
    ),
    AttributeKind.PET: (
        "(?:我|我家|我们)(?:的)?(?:狗|猫|宠物)",
        "养了?什么",
    ),
    AttributeKind.PERSON: (
        "我(?:的)?(?:妈妈?|爸爸?|妹妹|姐姐|哥哥|弟弟|老婆|老公|女朋友|男朋友|儿子|女儿|老板|房东|同事|医生|老师)(?:叫|是谁|的名字)",
    ),
    AttributeKind.NAME: (
        "我叫什么",
        "我的名字",
    ),
    AttributeKind.BIRTHDAY: (
        "生日",
        "几岁",
        "多大",
    ),
    AttributeKind.PRICE: (
        "多少钱",
        "房租",
        "工资",
        "月薪",
        "租金",
    ),
    AttributeKind.FAVOURITE: ("最(?:喜欢|爱)",),
    AttributeKind.VEHICLE: ("(?:我的?|什么)(?:车|自行车|摩托)",),
    AttributeKind.LANGUAGE: (
        "什么语言",
        "会说",
        "母语",
    ),
    AttributeKind.PLAN: (
        "什么时候",
        "几点",
        "哪天",
        "(?:我的|我们的)(?:计划|预约|航班|考试|会议|婚礼)",
    ),
    AttributeKind.ROLE: (
        "谁(?:是|负责|管)",
        "(?:是|由)谁",
    ),
    AttributeKind.VERSION: (
        "什么版本",
        "哪个版本",
        "版本",
    ),
    AttributeKind.PORT: ("端口",),
    AttributeKind.HOST: (
        "哪台(?:服务器|机器)",
        "主机",
        "部署在哪",
    ),
    AttributeKind.TOOL: ("用(?:的)?(?:是)?(?:什么|哪个)(?:数据库|编辑器|工具|框架|软件)?",),
}
