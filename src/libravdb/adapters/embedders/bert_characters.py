"""What a lower-case BERT makes of each character; written by `tools/build_bert_characters.py`, not by hand.

Ranges of code points are hexadecimal, both ends included. Made with tokenizers 0.23.3.
"""

SPACES = """
9-a d 20 a0 1680 2000-200a 2028-2029 202f 205f 3000
"""
"""What separates words."""

REMOVED = """
0-8 b-c e-1f 7f-9f ad 600-605 61c 6dd 70f 180e 200b-200f 202a-202e 2060-2064 2066-206f feff fff9-fffb fffd 110bd
1bca0-1bca3 1d173-1d17a e0001 e0020-e007f
"""
"""Taken out before anything else, as private use is."""

PUNCTUATION = """
21-2f 3a-40 5b-60 7b-7e a1 a7 ab b6-b7 bb bf 37e 387 55a-55f 589-58a 5be 5c0 5c3 5c6 5f3-5f4 609-60a 60c-60d 61b
61e-61f 66a-66d 6d4 700-70d 7f7-7f9 830-83e 85e 964-965 970 af0 df4 e4f e5a-e5b f04-f12 f14 f3a-f3d f85 fd0-fd4
fd9-fda 104a-104f 10fb 1360-1368 1400 166d-166e 169b-169c 16eb-16ed 1735-1736 17d4-17d6 17d8-17da 1800-180a 1944-1945
1a1e-1a1f 1aa0-1aa6 1aa8-1aad 1b5a-1b60 1bfc-1bff 1c3b-1c3f 1c7e-1c7f 1cc0-1cc7 1cd3 1fef 2010-2027 2030-2043
2045-2051 2053-205e 207d-207e 208d-208e 2260 226e-226f 2308-230b 2329-232a 2768-2775 27c5-27c6 27e6-27ef 2983-2998
29d8-29db 29fc-29fd 2cf9-2cfc 2cfe-2cff 2d70 2e00-2e2e 2e30-2e42 3001-3003 3008-3011 3014-301f 3030 303d 30a0 30fb
a4fe-a4ff a60d-a60f a673 a67e a6f2-a6f7 a874-a877 a8ce-a8cf a8f8-a8fa a8fc a92e-a92f a95f a9c1-a9cd a9de-a9df
aa5c-aa5f aade-aadf aaf0-aaf1 abeb fd3e-fd3f fe10-fe19 fe30-fe52 fe54-fe61 fe63 fe68 fe6a-fe6b ff01-ff03 ff05-ff0a
ff0c-ff0f ff1a-ff1b ff1f-ff20 ff3b-ff3d ff3f ff5b ff5d ff5f-ff65 10100-10102 1039f 103d0 1056f 10857 1091f 1093f
10a50-10a58 10a7f 10af0-10af6 10b39-10b3f 10b99-10b9c 11047-1104d 110bb-110bc 110be-110c1 11140-11143 11174-11175
111c5-111c9 111cd 111db 111dd-111df 11238-1123d 112a9 114c6 115c1-115d7 11641-11643 1173c-1173e 12470-12474
16a6e-16a6f 16af5 16b37-16b3b 16b44 1bc9f 1da87-1da8b
"""
"""Each a word of its own."""

IDEOGRAPHS = """
3400-4dbf 4e00-9fff f900-faff 20000-2a6df 2a700-2b81f 2b920-2ceaf 2f800-2fa1f
"""
"""Each a word of its own too."""

MARKS = """
300-36f 483-487 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 610-61a 64b-65f 670 6d6-6dc 6df-6e4 6e7-6e8 6ea-6ed 711 730-74a
7a6-7b0 7eb-7f3 816-819 81b-823 825-827 829-82d 859-85b 8e3-902 93a 93c 941-948 94d 951-957 962-963 981 9bc 9c1-9c4
9cd 9e2-9e3 a01-a02 a3c a41-a42 a47-a48 a4b-a4d a51 a70-a71 a75 a81-a82 abc ac1-ac5 ac7-ac8 acd ae2-ae3 b01 b3c b3f
b41-b44 b4d b56 b62-b63 b82 bc0 bcd c00 c3e-c40 c46-c48 c4a-c4d c55-c56 c62-c63 c81 cbc cbf cc6 ccc-ccd ce2-ce3 d01
d41-d44 d4d d62-d63 dca dd2-dd4 dd6 e31 e34-e3a e47-e4e eb1 eb4-eb9 ebb-ebc ec8-ecd f18-f19 f35 f37 f39 f71-f7e
f80-f84 f86-f87 f8d-f97 f99-fbc fc6 102d-1030 1032-1037 1039-103a 103d-103e 1058-1059 105e-1060 1071-1074 1082
1085-1086 108d 109d 135d-135f 1712-1714 1732-1734 1752-1753 1772-1773 17b4-17b5 17b7-17bd 17c6 17c9-17d3 17dd
180b-180d 18a9 1920-1922 1927-1928 1932 1939-193b 1a17-1a18 1a1b 1a56 1a58-1a5e 1a60 1a62 1a65-1a6c 1a73-1a7c 1a7f
1ab0-1abd 1b00-1b03 1b34 1b36-1b3a 1b3c 1b42 1b6b-1b73 1b80-1b81 1ba2-1ba5 1ba8-1ba9 1bab-1bad 1be6 1be8-1be9 1bed
1bef-1bf1 1c2c-1c33 1c36-1c37 1cd0-1cd2 1cd4-1ce0 1ce2-1ce8 1ced 1cf4 1cf8-1cf9 1dc0-1df5 1dfc-1dff 20d0-20dc 20e1
20e5-20f0 2cef-2cf1 2d7f 2de0-2dff 302a-302d 3099-309a a66f a674-a67d a69e-a69f a6f0-a6f1 a802 a806 a80b a825-a826
a8c4 a8e0-a8f1 a926-a92d a947-a951 a980-a982 a9b3 a9b6-a9b9 a9bc a9e5 aa29-aa2e aa31-aa32 aa35-aa36 aa43 aa4c aa7c
aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aaec-aaed aaf6 abe5 abe8 abed fb1e fe00-fe0f fe20-fe2f 101fd 102e0 10376-1037a
10a01-10a03 10a05-10a06 10a0c-10a0f 10a38-10a3a 10a3f 10ae5-10ae6 11001 11038-11046 1107f-11081 110b3-110b6
110b9-110ba 11100-11102 11127-1112b 1112d-11134 11173 11180-11181 111b6-111be 111ca-111cc 1122f-11231 11234
11236-11237 112df 112e3-112ea 11300-11301 1133c 11340 11366-1136c 11370-11374 114b3-114b8 114ba 114bf-114c0
114c2-114c3 115b2-115b5 115bc-115bd 115bf-115c0 115dc-115dd 11633-1163a 1163d 1163f-11640 116ab 116ad 116b0-116b5
116b7 1171d-1171f 11722-11725 11727-1172b 16af0-16af4 16b30-16b36 16f8f-16f92 1bc9d-1bc9e 1d167-1d169 1d17b-1d182
1d185-1d18b 1d1aa-1d1ad 1d242-1d244 1da00-1da36 1da3b-1da6c 1da75 1da84 1da9b-1da9f 1daa1-1daaf 1e8d0-1e8d6
e0100-e01ef
"""
"""Accents and the like, taken out once they are sorted."""

ORDERS = """
1: 334-338 1cd4 1ce2-1ce8 20d2-20d3 20d8-20da 20e5-20e6 20ea-20eb 10a39 16af0-16af4 1bc9e 1d167-1d169
7: 93c 9bc a3c abc b3c cbc 1037 1b34 1be6 1c37 a9b3 110ba 11173 111ca 11236 112e9 1133c 11446 114c3 115c0 116b7 1e94a
8: 3099-309a
9: 94d 9cd a4d acd b4d bcd c4d ccd d4d dca e3a f84 1039-103a 1714 1734 17d2 1a60 1b44 1baa-1bab 1bf2-1bf3 2d7f a806
a8c4 a953 a9c0 aaf6 abed 10a3f 11046 1107f 110b9 11133-11134 111c0 11235 112ea 1134d 11442 114c2 115bf 1163f 116b6
1172b 11c3f
10: 5b0
11: 5b1
12: 5b2
13: 5b3
14: 5b4
15: 5b5
16: 5b6
17: 5b7
18: 5b8 5c7
19: 5b9-5ba
20: 5bb
21: 5bc
22: 5bd
23: 5bf
24: 5c1
25: 5c2
26: fb1e
27: 64b 8f0
28: 64c 8f1
29: 64d 8f2
30: 618 64e
31: 619 64f
32: 61a 650
33: 651
34: 652
35: 670
36: 711
84: c55
91: c56
103: e38-e39
107: e48-e4b
118: eb8-eb9
122: ec8-ecb
129: f71 f73 f75 f81
130: f72 f7a-f7d f80
132: f74
202: 321-322 327-328 1dd0
214: 1dce
216: 31b f39 1d165-1d166 1d16e-1d172
218: 302a
220: 316-319 31c-320 323-326 329-333 339-33c 347-349 34d-34e 353-356 359-35a 591 596 59b 5a2-5a7 5aa 5c5 655-656 65c
65f 6e3 6ea 6ed 731 734 737-739 73b-73c 73e 742 744 746 748 7f2 859-85b 8e3 8e6 8e9 8ed-8ef 8f6 8f9-8fa 952 f18-f19
f35 f37 fc6 108d 193b 1a18 1a7f 1ab5-1aba 1abd 1b6c 1cd5-1cd9 1cdc-1cdf 1ced 1dc2 1dca 1dcf 1dfd 1dff 20e8 20ec-20ef
a92b-a92d aab4 fe27-fe2d 101fd 102e0 10a0d 10a3a 10ae6 1d17b-1d182 1d18a-1d18b 1e8d0-1e8d6
222: 59a 5ad 1939 302d
224: 302e-302f
226: 1d16d
228: 5ae 18a9 302b
230: 300-314 33d-344 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 59c-5a1 5a8-5a9 5ab-5ac 5af 5c4
610-617 653-654 657-65b 65d-65e 6d6-6dc 6df-6e2 6e4 6e7-6e8 6eb-6ec 730 732-733 735-736 73a 73d 73f-741 743 745 747
749-74a 7eb-7f1 7f3 816-819 81b-823 825-827 829-82d 8d4-8e1 8e4-8e5 8e7-8e8 8ea-8ec 8f3-8f5 8f7-8f8 8fb-8ff 951
953-954 f82-f83 f86-f87 135d-135f 17dd 193a 1a17 1a75-1a7c 1ab0-1ab4 1abb-1abc 1b6b 1b6d-1b73 1cd0-1cd2 1cda-1cdb 1ce0
1cf4 1cf8-1cf9 1dc0-1dc1 1dc3-1dc9 1dcb-1dcc 1dd1-1df5 1dfb 1dfe 20d0-20d1 20d4-20d7 20db-20dc 20e1 20e7 20e9 20f0
2cef-2cf1 2de0-2dff a66f a674-a67d a69e-a69f a6f0-a6f1 a8e0-a8f1 aab0 aab2-aab3 aab7-aab8 aabe-aabf aac1 fe20-fe26
fe2e-fe2f 10376-1037a 10a0f 10a38 10ae5 11100-11102 11366-1136c 11370-11374 16b30-16b36 1d185-1d189 1d1aa-1d1ad
1d242-1d244 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e944-1e949
232: 315 31a 358 302c
233: 35c 35f 362 1dfc
234: 35d-35e 360-361 1dcd
240: 345
"""
"""By which number marks behind one letter are sorted; all others are letters."""

FOLDS = """
41 abcdefghijklmnopqrstuvwxyz
c0 aaaaaaæceeeeiiiiðnooooo øuuuuyþ aaaaaa ceeeeiiii
f1 nooooo  uuuuy yaaaaaaccccccccddđ eeeeeeeeeeggggg
121 ggghhħ iiiiiiiii ĳ jjkk llllllŀ ł nnnnnn ŋ ooooo
151 oœ rrrrrrssssssssttttŧ uuuuuuuuuuuuwwyyyzzzzzz
181 ɓƃ ƅ ɔƈ ɖɗƌ  ǝəɛƒ ɠɣ ɩɨƙ   ɯɲ ɵooƣ ƥ ʀƨ ʃ  ƭ ʈuu
1b1 ʊʋƴ ƶ ʒƹ   ƽ
1c4 ǆǆ ǉǉ ǌǌ aaiioouuuuuuuuuu aaaaææǥ ggkkooooʒʒjǳǳ
1f4 ggƕƿnnaaææøøaaaaeeeeiiiioooorrrruuuussttȝ hhƞ ȣ
224 ȥ aaeeooooooooyy
23a ⱥȼ ƚⱦ  ɂ ƀʉʌɇ ɉ ɋ ɍ ɏ
370 ͱ ͳ ʹ ͷ
37e ;ϳ
385 ¨α·εηι ο υωιαβγδεζηθικλμνξοπρ στυφχψωιυαεηιυ
3ca ιυουωϗ   ϒϒ   ϙ ϛ ϝ ϟ ϡ ϣ ϥ ϧ ϩ ϫ ϭ ϯ
3f4 θ  ϸ ϲϻ  ͻͼͽееђгєѕііјљњћкиуџабвгдежзииклмнопрсту
424 фхцчшщъыьэюя
439 и
450 ее г   і
45c киу ѡ ѣ ѥ ѧ ѩ ѫ ѭ ѯ ѱ ѳ ѵ ѵѵѹ ѻ ѽ ѿ ҁ
48a ҋ ҍ ҏ ґ ғ ҕ җ ҙ қ ҝ ҟ ҡ ң ҥ ҧ ҩ ҫ ҭ ү ұ ҳ ҵ ҷ ҹ
4ba һ ҽ ҿ ӏжжӄ ӆ ӈ ӊ ӌ ӎ  ааааӕ ееә әәжжззӡ ииииооө
4ea өөээууууууччӷ ыыӻ ӽ ӿ ԁ ԃ ԅ ԇ ԉ ԋ ԍ ԏ ԑ ԓ ԕ ԗ ԙ
51a ԛ ԝ ԟ ԡ ԣ ԥ ԧ ԩ ԫ ԭ ԯ  աբգդեզէըթժիլխծկհձղճմյնշոչ
54a պջռսվտրցւփքօֆ
622 ااواي
6c0 ە ہ
6d3 ے
929 न
931 र  ळ
958 कखगजडढफय
9dc ডঢ য
a33 ਲ  ਸ
a59 ਖਗਜ  ਫ
b48 େ
b5c ଡଢ
cc0 ೕ
cc7 ೕೖ ೂ
dda ෙ
f43 ག
f4d ཌ
f52 ད
f57 བ
f5c ཛ
f69 ཀ
1026 ဥ
10a0 ⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥ ⴧ
10cd ⴭ
13a0 ꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟ
13d0 ꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽ
1b3b ᬵ ᬵ
1b43 ᬵ
1c89 ᲊ
1c90 აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺ  ჽჾჿ
1e00 aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiii
1e30 kkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr
1e60 ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyy
1e90 zzzzzzhtwy ſ  ß aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee
1ec0 eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuu
1ef0 uuyyyyyyyyỻ ỽ ỿ ααααααααααααααααεεεεεε  εεεεεε
1f20 ηηηηηηηηηηηηηηηηιιιιιιιιιιιιιιιιοοοοοο  οοοοοο
1f50 υυυυυυυυ υ υ υ υωωωωωωωωωωωωωωωωααεεηηιιοουυωω
1f80 ααααααααααααααααηηηηηηηηηηηηηηηηωωωωωωωωωωωωωωωω
1fb0 ααααα ααααααα ι  ¨ηηη ηηεεηηη᾿᾿᾿ιιιι  ιιιιιι ῾῾῾
1fe0 υυυυρρυυυυυυρ¨¨`  ωωω ωωοοωωω´
2126 ω   ka
2132 ⅎ
2160 ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻⅼⅽⅾⅿ
2183 ↄ
219a ←→
21ae ↔
21cd ⇐⇔⇒
2204 ∃
2209 ∈  ∋
2224 ∣ ∥
2241 ∼  ≃  ≅ ≈
2260 = ≡
226d ≍<>≤≥  ≲≳  ≶≷
2280 ≺≻  ⊂⊃  ⊆⊇
22ac ⊢⊨⊩⊫
22e0 ≼≽⊑⊒
22ea ⊲⊳⊴⊵
2329 〈〉
24b6 ⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ
2adc ⫝
2c00 ⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟ
2c60 ⱡ ɫᵽɽ  ⱨ ⱪ ⱬ ɑɱɐɒ ⱳ  ⱶ
2c7e ȿɀⲁ ⲃ ⲅ ⲇ ⲉ ⲋ ⲍ ⲏ ⲑ ⲓ ⲕ ⲗ ⲙ ⲛ ⲝ ⲟ ⲡ ⲣ ⲥ ⲧ ⲩ ⲫ ⲭ
2cae ⲯ ⲱ ⲳ ⲵ ⲷ ⲹ ⲻ ⲽ ⲿ ⳁ ⳃ ⳅ ⳇ ⳉ ⳋ ⳍ ⳏ ⳑ ⳓ ⳕ ⳗ ⳙ ⳛ ⳝ
2cde ⳟ ⳡ ⳣ
2ceb ⳬ ⳮ
2cf2 ⳳ
304c か き く け こ さ し す せ そ た ち  つ て と
3070 はは ひひ ふふ へへ ほほ
3094 う
309e ゝ
30ac カ キ ク ケ コ サ シ ス セ ソ タ チ  ツ テ ト
30d0 ハハ ヒヒ フフ ヘヘ ホホ
30f4 ウ  ワヰヱヲ   ヽ
a640 ꙁ ꙃ ꙅ ꙇ ꙉ ꙋ ꙍ ꙏ ꙑ ꙓ ꙕ ꙗ ꙙ ꙛ ꙝ ꙟ ꙡ ꙣ ꙥ ꙧ ꙩ ꙫ ꙭ
a680 ꚁ ꚃ ꚅ ꚇ ꚉ ꚋ ꚍ ꚏ ꚑ ꚓ ꚕ ꚗ ꚙ ꚛ
a722 ꜣ ꜥ ꜧ ꜩ ꜫ ꜭ ꜯ   ꜳ ꜵ ꜷ ꜹ ꜻ ꜽ ꜿ ꝁ ꝃ ꝅ ꝇ ꝉ ꝋ ꝍ ꝏ ꝑ
a752 ꝓ ꝕ ꝗ ꝙ ꝛ ꝝ ꝟ ꝡ ꝣ ꝥ ꝧ ꝩ ꝫ ꝭ ꝯ
a779 ꝺ ꝼ ᵹꝿ ꞁ ꞃ ꞅ ꞇ
a78b ꞌ ɥ  ꞑ ꞓ   ꞗ ꞙ ꞛ ꞝ ꞟ ꞡ ꞣ ꞥ ꞧ ꞩ ɦɜɡɬɪ ʞʇʝꭓꞵ ꞷ ꞹ ꞻ
a7bc ꞽ ꞿ ꟁ ꟃ ꞔʂᶎꟈ ꟊ ɤꟍ ꟏ ꟑ ꟓ ꟕ ꟗ ꟙ ꟛ ƛ
a7f5 ꟶ
f900 豈更車賈滑串句龜龜契金喇奈懶癩羅蘿螺裸邏樂洛烙珞落酪駱亂卵欄爛蘭鸞嵐濫藍襤拉臘蠟廊朗浪狼郎來冷勞
f930 擄櫓爐盧老蘆虜路露魯鷺碌祿綠菉錄鹿論壟弄籠聾牢磊賂雷壘屢樓淚漏累縷陋勒肋凜凌稜綾菱陵讀拏樂諾丹寧
f960 怒率異北磻便復不泌數索參塞省葉說殺辰沈拾若掠略亮兩凉梁糧良諒量勵呂女廬旅濾礪閭驪麗黎力曆歷轢年憐
f990 戀撚漣煉璉秊練聯輦蓮連鍊列劣咽烈裂說廉念捻殮簾獵令囹寧嶺怜玲瑩羚聆鈴零靈領例禮醴隸惡了僚寮尿料樂
f9c0 燎療蓼遼龍暈阮劉杻柳流溜琉留硫紐類六戮陸倫崙淪輪律慄栗率隆利吏履易李梨泥理痢罹裏裡里離匿溺吝燐璘
f9f0 藺隣鱗麟林淋臨立笠粒狀炙識什茶刺切度拓糖宅洞暴輻行降見廓兀嗀  塚 晴  凞猪益礼神祥福靖精羽
fa20 蘒 諸  逸都   飯飼館鶴郞隷侮僧免勉勤卑喝嘆器塀墨層屮悔慨憎懲敏既暑梅海渚漢煮爫琢碑社祉祈祐
fa50 祖祝禍禎穀突節練縉繁署者臭艹艹著褐視謁謹賓贈辶逸難響頻恵𤋮舘  並况全侀充冀勇勺喝啕喙嗢塚墳奄奔
fa80 婢嬨廒廙彩徭惘慎愈憎慠懲戴揄搜摒敖晴朗望杖歹殺流滛滋漢瀞煮瞧爵犯猪瑱甆画瘝瘟益盛直睊着磌窱節类絛
fab0 練缾者荒華蝹襁覆視調諸請謁諾諭謹變贈輸遲醙鉶陼難靖韛響頋頻鬒龜𢡊𢡄𣏕㮝䀘䀹𥉉𥳐𧻓齃龎
fb1d י ײ
fb2a ששששאאאבגדהוז טיךכל מ נס ףפ צקרשתובכפ
ff21 ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ
10400 𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏
104b0 𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻
10570 𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡 𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱 𐖳𐖴𐖵𐖶𐖷𐖸𐖹 𐖻𐖼
10c80 𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯
10cb0 𐳰𐳱𐳲
10d50 𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅
1109a 𑂙 𑂛
110ab 𑂥
114bb 𑒹
118a0 𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟
16e40 𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿
16ea0 𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓
1e900 𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃
2f800 丽丸乁𠄢你侮侻倂偺備僧像㒞𠘺免兔兤具𠔜㒹內再𠕋冗冤仌冬况𩇟凵刃㓟刻剆割剷㔕勇勉勤勺包匆北卉卑博即
2f830 卽卿卿卿𠨬灰及叟𠭣叫叱吆咞吸呈周咢哶唐啓啣善善喙喫喳嗂圖嘆圗噑噴切壮城埴堍型堲報墬𡓤売壷夆多夢奢
2f860 𡚨𡛪姬娛娧姘婦㛮㛼嬈嬾嬾𡧈寃寘寧寳𡬘寿将当尢㞁屠屮峀岍𡷤嵃𡷦嵮嵫嵼巡巢㠯巽帨帽幩㡢𢆃㡼庰庳庶廊𪎒
2f890 廾𢌱𢌱舁弢弢㣇𣊸𦇚形彫㣣徚忍志忹悁㤺㤜悔𢛔惇慈慌慎慌慺憎憲憤憯懞懲懶成戛扝抱拔捐𢬌挽拼捨掃揤𢯱搢
2f8c0 揅掩㨮摩摾撝摷㩬敏敬𣀊旣書晉㬙暑㬈㫤冒冕最暜肭䏙朗望朡杞杓𣏃㭉柺枅桒梅𣑭梎栟椔㮝楂榣槪檨𣚣櫛㰘次
2f8f0 𣢧歔㱎歲殟殺殻𣪍𡴋𣫺汎𣲼沿泍汧洖派海流浩浸涅𣴞洴港湮㴳滋滇𣻑淹潮𣽞𣾎濆瀹瀞瀛㶖灊災灷炭𠔥煅𤉣熜𤎫
2f920 爨爵牐𤘈犀犕𤜵𤠔獺王㺬玥㺸㺸瑇瑜瑱璅瓊㼛甤𤰶甾𤲒異𢆟瘐𤾡𤾸𥁄㿼䀈直𥃳𥃲𥄙𥄳眞真真睊䀹瞋䁆䂖𥐝硎碌
2f950 磌䃣𥘦祖𥚚𥛅福秫䄯穀穊穏𥥼𥪧𥪧竮䈂𥮫篆築䈧𥲀糒䊠糨糣紀𥾆絣䌁緇縂繅䌴𦈨𦉇䍙𦋙罺𦌾羕翺者𦓚𦔣聠𦖨聰
2f980 𣍟䏕育脃䐋脾媵𦞧𦞵𣎓𣎜舁舄辞䑫芑芋芝劳花芳芽苦𦬼若茝荣莭茣莽菧著荓菊菌菜𦰶𦵫𦳕䔫蓱蓳蔖𧏊蕤𦼬䕝䕡
2f9b0 𦾱𧃒䕫虐虜虧虩蚩蚈蜎蛢蝹蜨蝫螆䗗蟡蠁䗹衠衣𧙧裗裞䘵裺㒻𧢮𧥦䚾䛇誠諭變豕𧲨貫賁贛起𧼯𠠄跋趼跰𠣞軔輸
2f9e0 𨗒𨗭邔郱鄑𨜮鄛鈸鋗鋘鉼鏹鐕𨯺開䦕閷𨵷䧦雃嶲霣𩅅𩈚䩮䩶韠𩐊䪲𩒖頋頋頩𩖶飢䬳餩馧駂駾䯎𩬰鬒鱀鳽䳎䳭鵧
2fa10 𪃎䳸𪄅𪈎𪊑麻䵖黹黾鼅鼏鼖鼻𪘀
"""
"""What a character becomes, and those behind it; a space: it stays."""

SPREADS = """
9cb 9c7 9be
9cc 9c7 9d7
b4b b47 b3e
b4c b47 b57
b94 b92 bd7
bca bc6 bbe
bcb bc7 bbe
bcc bc6 bd7
ccb cc2 cd5
d4a d46 d3e
d4b d47 d3e
d4c d46 d57
ddc dd9 dcf
ddd dd9 dcf
dde dd9 ddf
1b06 1b05 1b35
1b08 1b07 1b35
1b0a 1b09 1b35
1b0c 1b0b 1b35
1b0e 1b0d 1b35
1b12 1b11 1b35
1b40 1b3e 1b35
1b41 1b3f 1b35
1134b 11347 1133e
1134c 11347 11357
114bc 114b9 114b0
114be 114b9 114bd
115ba 115b8 115af
115bb 115b9 115af
1d15e 1d157 1d165
1d15f 1d158 1d165
1d160 1d158 1d165 1d16e
1d161 1d158 1d165 1d16f
1d162 1d158 1d165 1d170
1d163 1d158 1d165 1d171
1d164 1d158 1d165 1d172
1d1bb 1d1b9 1d165
1d1bc 1d1ba 1d165
1d1bd 1d1b9 1d165 1d16e
1d1be 1d1ba 1d165 1d16e
1d1bf 1d1b9 1d165 1d16f
1d1c0 1d1ba 1d165 1d16f
"""
"""A character, and the several that it becomes."""
