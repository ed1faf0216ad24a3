"""How statements are made in Chinese."""

from functools import partial

from libravdb.core.gate.languages.forms.form import HAN, FormVocabulary, Single, any_of, form, relations, signs
from libravdb.model import AttributeKind as Kind

RELATIONS = relations(
    """
mother: 妈妈, 母亲, 妈
father: 爸爸, 父亲, 爸
sister: 姐姐, 妹妹, 姐, 妹
brother: 哥哥, 弟弟, 哥, 弟
daughter: 女儿
son: 儿子
child: 孩子, 宝宝
husband: 老公, 丈夫, 先生
wife: 老婆, 妻子, 太太
partner: 女朋友, 男朋友, 女友, 男友, 未婚妻, 未婚夫, 对象
grandmother: 奶奶, 外婆, 姥姥
grandfather: 爷爷, 外公, 姥爷
aunt: 阿姨, 姑姑
uncle: 叔叔, 舅舅
cousin: 表哥, 表姐, 表弟, 表妹, 堂哥, 堂弟
friend: 朋友, 闺蜜
neighbour: 邻居
flatmate: 室友
colleague: 同事
boss: 老板, 上司, 领导, 经理
landlord: 房东
doctor: 医生, 家庭医生
dentist: 牙医
teacher: 老师, 钢琴老师, 导师
coach: 教练
parents: 父母
"""
)
_REL = any_of(RELATIONS)
_W = f"[{HAN}A-Za-z0-9·.+#-]"
_END = r"(?=[，。！；,.!;、 ]|$|了|的时候|因为|而且|但)"
_MY = r"(?:我们?的?|咱们?的?)"
_WHOSE = rf"{_MY}(?:(?P<whose>{_REL})的)?"
_NOW = r"(?:现在|目前|如今|已经|刚|刚刚|最近|也|新的|都)*"
_NUM = r"[\d一二两三四五六七八九十百千万零点.,]+"
_DAY = (
    r"(?:下?个?(?:周|星期|礼拜)[一二三四五六日天末]|\d{1,2}月(?:\d{1,2}[日号])?|[一二三四五六七八九十]{1,2}月(?:[一二三四五六七八九十]{1,3}[日号])?|\d{1,2}[日号]|明天|后天|下个?月(?:\d{1,2}[日号])?|明年|春节|[上下]午|早上|晚上|中午|"
    + _NUM
    + r"点(?:半|一刻)?|\d{1,2}[:：]\d{2})"
)
_WHEN = rf"(?P<value>{_DAY}(?:的?{_DAY}){{0,4}})"
_EVENT = r"(?:预约|会议|会|航班|旅行|婚礼|聚会|派对|考试|面试|截止日期|截止时间|发布|电话|课|手术|搬家|音乐会|比赛|演讲|体检|复查|晚饭|聚餐|培训|行程|答辩|例会|周会|门诊)"
_PETS = r"(?P<name>狗|猫|兔子|仓鼠|鹦鹉|乌龟|金鱼|小狗|小猫)"
_CHANGE = r"(?:改成|改到|改为|换成|换到|推迟到|提前到|挪到|变成|涨到|涨了到|降到|升到|调到|移到|搬到)"


_form = partial(form, is_spaced=False)

CHINESE = FormVocabulary(
    language="chinese",
    relations=RELATIONS,
    speaker=signs(r"我们?|咱们?"),
    other=signs(r"他们?|她们?"),
    listener=signs(r"你们?|您"),
    kin=signs(rf"(?:我们?|咱)(?:的)?(?P<relation>{_REL})(?P<called>[\u4e00-\u9fff]{{0}})?"),
    thing=signs(rf"(?P<thing>[{HAN}A-Za-z]{{1,8}}(?:服务器|服务|接口|数据库|系统|项目|API|api|后端|前端|网站))"),
    unreal=signs(
        r"如果|要是|希望|想(?!念)|打算|考虑|以前|之前|过去|小时候|曾经|原来|当时|那时|也许|可能|据说|听说|假如|差点|梦想|年前|去年.{0,4}住过|住过|做过|去过|昨天|说我|要不要|是不是|说.{0,4}要"
    ),
    ended=signs(
        r"不再|不(?:[\u4e00-\u9fff]{1,6})了|没有?.{0,6}了|戒|卖了|卖掉|取消|分手|离职|辞职|辞了|去世|退休|放弃|退订|停了|停掉|不干了|弃用|关掉|作废|决定不"
    ),
    denied=signs(r"不|没|别"),
    also=signs(r"也|还有|另外|另一|第二|同时|除了"),
    changed=signs(r"现在|改|换|新|搬|涨|降|不再|了|如今|目前|以后|从.{1,4}起|推迟|提前|升级"),
    joint=signs(r"但是|但|而且|因为|所以|不过"),
    forms=(
        _form(
            Kind.NAME,
            "叫",
            rf"我(?:的名字)?叫(?!做|你|他|她)(?P<value>[{HAN}A-Za-z·]{{1,12}}?){_END}",
            name="name",
            is_speakers=True,
        ),
        _form(
            Kind.NAME, "名字是", rf"我的名字是(?P<value>[{HAN}A-Za-z·]{{1,12}}?){_END}", name="name", is_speakers=True
        ),
        _form(
            Kind.NAME,
            "叫我",
            rf"(?:以后|请|可以|就|大家都?)*叫我(?P<value>[{HAN}A-Za-z·]{{1,10}}?)(?:就好|就行|吧)?{_END}",
            name="nickname",
            is_speakers=True,
        ),
        _form(Kind.BIRTHDAY, "生日", rf"{_WHOSE}生日(?:是|在){_WHEN}", name="birthday"),
        _form(Kind.BIRTHDAY, "岁", rf"(?:今年|现在|刚满|刚|已经|满)*(?P<value>{_NUM})岁", name="age"),
        _form(
            Kind.HOME,
            "地址",
            rf"{_WHOSE}(?P<name>(?:公司|家庭|家里|收货)?地址)(?:{_CHANGE}了?|是|在|现在是|改了，?是)(?P<value>[^，。！；]{{3,30}})",
        ),
        _form(
            Kind.HOME, "住|家在", rf"(?:{_NOW}住在|家在|定居在?|一直住在)(?P<value>{_W}{{2,10}}?)(?:市|这边|区)?{_END}"
        ),
        _form(Kind.HOME, "搬", rf"(?:搬家?(?:到|去)了?|搬回了?)(?P<value>{_W}{{2,10}}?)(?:市)?{_END}"),
        _form(
            Kind.WORK,
            "工作|上班|入职|跳槽|加入",
            rf"(?:(?<!现)在(?P<value>{_W}{{2,12}}?)(?:工作|上班|任职)|(?:入职|跳槽到了?|加入了?|去了?)(?P<value2>{_W}{{2,12}}?)(?:公司)?(?:上班|工作)?{_END}(?<!上班))",
            name="employer",
        ),
        _form(
            Kind.WORK,
            "是|当|做|升",
            rf"(?:是一?[名个位]|当上?了?|升(?:职|任)?(?:为|成|做)了?|做了?|职业是|转行做了?)(?P<value>{_W}{{0,8}}?(?:师|员|工|家|人|生|手|官|经理|总监|主管|司机|老板|教授|护士))",
            name="job",
        ),
        _form(
            Kind.WORK,
            "辞|离职|退休|失业|裁",
            rf"(?:从(?P<value>{_W}{{2,10}}?)(?:辞职|离职)|(?:离开|辞去)了?(?P<value2>{_W}{{2,10}}?){_END}|辞职|离职|退休|失业|被裁|辞了(?:工作|职)?)",
            name="employer",
            is_ended=True,
        ),
        _form(
            Kind.STATUS, "婚|单身", r"(?P<value>单身|结婚|已婚|离婚|订婚|未婚|丧偶)(?!典礼|照|礼|纪念)", name="marital"
        ),
        _form(Kind.STATUS, "去世|过世", r"(?:去世|过世)", name="life", is_ended=True),
        _form(
            Kind.PERSON,
            "分手",
            r"(?:和|跟|与)(?P<value>[\u4e00-\u9fff]{2,4}|女朋友|男朋友)分手",
            name="partner",
            is_ended=True,
            is_speakers=True,
        ),
        _form(
            Kind.PERSON,
            "叫|是|姓",
            rf"{_WHOSE}(?:新的?|现任)?(?P<name>{_REL})(?:的名字)?(?:现在)?(?:叫|是|姓|换成了?)(?!不|很|一|个|做)(?P<value>[{HAN}A-Za-z·]{{1,8}}?){_END}",
        ),
        _form(Kind.HEALTH, "过敏", rf"对(?P<value>{_W}{{1,6}}?)过敏", single=Single.NEVER),
        _form(
            Kind.HEALTH,
            "哮喘|糖尿病|高血压|偏头痛|癫痫|关节炎|失眠|抑郁|鼻炎|湿疹",
            r"(?:有|得了|患有|患)(?P<value>哮喘|糖尿病|高血压|偏头痛|癫痫|关节炎|失眠|抑郁症?|鼻炎|湿疹)",
            single=Single.NEVER,
        ),
        _form(Kind.DIET, "素|荤|吃肉", r"(?:是|吃|开始吃|改吃|又开始吃|又)(?P<value>素食(?:者|主义者)?|纯素|素|荤|肉)"),
        _form(
            Kind.DIET,
            "不吃|不喝",
            rf"不[吃喝](?P<value>{_W}{{1,5}}?)(?=[，。！；,.!;、 ]|$)(?<!了)",
            name="avoids",
            single=Single.NEVER,
        ),
        _form(
            Kind.PET,
            "狗|猫|兔|鼠|鹦鹉|龟|鱼",
            rf"{_MY}{_PETS}叫(?P<value>[{HAN}A-Za-z]{{1,6}}?){_END}",
            single=Single.IF_CHANGED,
            is_speakers=True,
        ),
        _form(Kind.PET, "狗|猫|兔|鼠|鹦鹉|龟|鱼", rf"(?:养了?|有)(?:[一两二三]?[只条个])?{_PETS}", single=Single.NEVER),
        _form(
            Kind.PET,
            "死了|去世|走了|送人",
            rf"{_PETS}(?:[{HAN}]{{0,6}})(?:死了|去世|走了|送人了?)",
            is_ended=True,
            is_speakers=True,
        ),
        _form(
            Kind.LANGUAGE, "说|学", r"(?:会说|在学|学习|说)(?P<value>[\u4e00-\u9fff]{1,3}[语文])", single=Single.NEVER
        ),
        _form(
            Kind.CONTACT,
            "电话|手机|号码|邮箱|微信",
            rf"{_WHOSE}(?P<name>(?:工作|公司|办公|家里|新的?)?(?:电话号码|手机号码?|电话|号码|手机|邮箱|微信号?))(?:{_CHANGE}了?|换了，?(?:现在)?(?:是)?|现在是|是|：)(?P<value>[\w.+@-]*[\d@][\w.+@ -]*\w)",
        ),
        _form(
            Kind.VEHICLE,
            "开|车",
            rf"(?:开的?(?:是)?(?:一辆)?|车(?:是|换成了?)(?:一辆)?)(?P<value>(?!始|会|心|车|发|放|店|学|门)[{HAN}A-Za-z0-9]{{2,10}}?)(?:的车)?{_END}",
            name="car",
        ),
        _form(
            Kind.FAVOURITE,
            "最喜欢|最爱",
            rf"(?:(?:{_MY}(?P<whose>{_REL})?)?(?:现在)?最(?:喜欢|爱)的(?P<name>[{HAN}]{{1,6}}?)(?:现在)?(?:{_CHANGE}了?|是)(?P<value>{_W}{{1,12}}?){_END})",
        ),
        _form(Kind.FAVOURITE, "最喜欢", rf"最喜欢(?P<name>吃|喝|看|听|玩)(?P<value>(?!的){_W}{{1,8}}?){_END}"),
        _form(
            Kind.LIKING,
            "喜欢|爱",
            rf"(?<![不最])(?:喜欢|爱)(?P<value>(?!的)(?:吃|喝|看|听|玩|打)?{_W}{{1,8}}?){_END}",
            name="likes",
            single=Single.NEVER,
        ),
        _form(
            Kind.LIKING,
            "讨厌|不喜欢|受不了",
            rf"(?:讨厌|不喜欢|受不了)(?P<value>(?:吃|喝|看|听|玩|打)?{_W}{{1,8}}?){_END}",
            name="dislikes",
            single=Single.NEVER,
        ),
        _form(
            Kind.PRICE,
            "房租|租金|工资|月薪|会费|学费|价格|保险|预算|话费|年费|月费|押金|房贷",
            rf"(?:{_WHOSE})?(?P<name>[{HAN}]{{0,4}}?(?:房租|租金|工资|月薪|会费|学费|价格|保险|预算|话费|年费|月费|押金|房贷))(?:[{HAN}]{{0,3}}?)(?:从{_NUM}[{HAN}]{{0,2}})?(?:{_CHANGE}了?|是|现在是|每个?月|要)+(?P<value>{_NUM}(?:块钱?|元|欧元?|美元|万)?)",
            is_speakers=True,
        ),
        _form(
            Kind.PLAN,
            "|".join(
                "预约 会 航班 旅行 婚礼 聚 派对 考试 面试 截止 发布 电话 课 手术 搬家 比赛 演讲 体检 复查 晚饭 培训 行程 答辩 门诊".split()
            ),
            rf"(?P<name>(?:(?!我|的)[{HAN}]){{0,5}}?{_EVENT})(?:时间|日期)?(?:{_CHANGE}了?|是|在|定在了?|安排在了?|约在了?|约的是)+{_WHEN}",
            is_speakers=True,
        ),
        _form(
            Kind.PLAN,
            "去|飞",
            rf"(?:我们?|咱们?)(?:[{HAN}]{{0,3}}?){_WHEN}(?:要)?(?:飞|去|出发去)(?P<name>[{HAN}]{{2,6}}?)(?:旅行|玩|出差|度假)?{_END}",
            is_speakers=True,
        ),
        _form(
            Kind.ROLE,
            "是",
            rf"(?:我们(?:公司|团队)?的?|公司的?|新的?)+(?P<name>CTO|CEO|CFO|总监|负责人|组长|经理|主管|队长|班主任|项目经理|产品经理)(?:现在)?(?:是|换成了?|由)(?P<value>[{HAN}A-Za-z·]{{1,8}}?)(?:担任)?{_END}",
            is_speakers=True,
        ),
        _form(
            Kind.ROLE,
            "是|当",
            rf"(?P<value>[{HAN}]{{2,4}}?|[A-Z][a-z]+)(?:现在)?(?:是|当上了?|接任)(?:我们(?:公司|团队)?的?|公司的?)(?:新的?)?(?P<name>CTO|CEO|CFO|总监|负责人|组长|经理|主管|队长|班主任|项目经理|产品经理)",
            is_speakers=True,
        ),
        _form(
            Kind.PORT,
            "端口",
            rf"(?P<thing>[{HAN}A-Za-z]{{2,12}}?)(?:的)?(?:现在)?(?:跑在|监听|用的?是?|在)?(?:的)?端口(?:号)?(?:{_CHANGE}了?|是|现在是)?(?:了)?(?P<value>\d{{2,5}})",
        ),
        _form(
            Kind.PORT,
            "端口",
            rf"(?P<thing>[{HAN}A-Za-z]{{2,12}}?)(?:现在)?(?:跑在|监听|运行在|在|用)(?P<value>\d{{2,5}})端口",
        ),
        _form(
            Kind.VERSION,
            "升级|用|版本",
            r"(?:升级到了?|在用|用的是|使用|用|换成了?|版本是)(?P<name>[A-Za-z][A-Za-z0-9.+#-]*) ?(?P<value>v?\d+(?:\.\d+){0,3})",
        ),
        _form(
            Kind.HOST,
            "部署|托管|迁移|服务器",
            rf"(?P<thing>[{HAN}A-Za-z]{{2,10}}?)(?:现在)?(?:部署在|托管在|迁移到了?|跑在|放在)(?P<value>(?!\d+端口)[\w.-]+|阿里云|腾讯云|华为云)",
        ),
        _form(
            Kind.TOOL,
            "从|不用|代替|取代|决定不|不再",
            rf"(?:从(?P<value>[A-Za-z][A-Za-z0-9.+#-]*|{_W}{{2,8}}?)(?:换|改|迁移|切换|转)|(?:决定|最后|最终)?不(?:再)?(?:用|使用|采用|买)(?P<value2>[A-Za-z][A-Za-z0-9.+#-]*|{_W}{{2,6}}?)(?:了|{_END})|(?:代替|取代)了?(?P<value3>[A-Za-z][A-Za-z0-9.+#-]*))",
            is_ended=True,
            is_speakers=True,
        ),
        _form(
            Kind.TOOL,
            "用|换成|换到|改用|迁移|选",
            rf"(?:(?P<name>[{HAN}]{{2,5}}?)(?:现在)?(?:换成了?|改用了?|用的?是?|迁移到了?)|(?<!不)(?:在用|用|使用|改用了?|换成了?|换到了?|选了|选择了|迁移到了?|切换到了?))(?:的是)?(?P<value>[A-Za-z][A-Za-z0-9.+#-]*(?: [A-Z]\w+)?)",
            single=Single.IF_CHANGED,
            is_speakers=True,
        ),
        _form(
            Kind.HABIT,
            "戒|不再|卖|取消|放弃|退订|停|不",
            rf"(?:戒了?|不再|卖了|卖掉了?|把|取消了?|放弃了?|退订了?|停了|停掉了?)(?:我的|那辆|那个|原来的|我们的)?(?P<value>{_W}{{1,8}}?)(?:取消|卖|退|停|戒|掉)?{_END}",
            is_ended=True,
        ),
        _form(
            Kind.HABIT,
            "卖",
            rf"(?P<value>(?:(?!我|的)[{HAN}A-Za-z]){{2,6}}?)(?:上周|昨天|上个月|刚|已经)?卖(?:给[{HAN}]{{1,6}}|掉)?了",
            is_ended=True,
            is_speakers=True,
        ),
        _form(
            Kind.HABIT,
            "取消|卖掉|停",
            rf"(?P<value>(?:(?!我|的)[{HAN}A-Za-z]){{2,8}}?)(?:已经|被)?(?:取消|卖掉|停掉|退掉)了",
            is_ended=True,
            is_speakers=True,
        ),
        _form(
            Kind.HABIT,
            "了",
            rf"不(?P<value>(?!是|想|会|能|要|好|用|对|行|同|错|过|知)[{HAN}]{{1,6}}?)了",
            is_ended=True,
        ),
        _form(
            Kind.HABIT,
            "每天|每周|每个",
            rf"(?P<value>每(?:天|周|个?月|个?星期)[{HAN}\d]{{2,12}}?){_END}",
            single=Single.IF_CHANGED,
        ),
    ),
)
