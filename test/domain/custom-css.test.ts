import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { cssHosts } from '../../src/domain/settings/css/css-hosts.ts'
import { cssTree } from '../../src/domain/settings/css/css-tree.ts'
import { cleanCss, cssProblems } from '../../src/domain/settings/css/custom-css.ts'

const hosts = new Set(['cdn.example.com'])
const clean = (css: string) => cleanCss(css, hosts).css
const problems = (css: string) => cssProblems(css, hosts)

describe('CSS that is allowed is shown', () => {
  test.each([
    ['', ''],
    ['a { color: red; }', 'a{color:red}'],
    ['a { color: red;; }', 'a{color:red}'],
    ['a{color:red', 'a{color:red}'],
    ['a{color:red !important}', 'a{color:red!important}'],
    ['/* a */ /*! b */ a{color:red}', 'a{color:red}'],
    ['\ufeffa{color:red}', 'a{color:red}'],
    ['@media (width < 600px){.card{margin:0}}', '@media (width<600px){.card{margin:0}}'],
    ['@media print{a{display:none}}', '@media print{a{display:none}}'],
    ['@supports (display:grid){a{display:grid}}', '@supports (display:grid){a{display:grid}}'],
    ['@container (min-width:9px){a{top:0}}', '@container (min-width:9px){a{top:0}}'],
    [
      '@keyframes in{from{opacity:0}50%{opacity:.5}to{opacity:1}}',
      '@keyframes in{from{opacity:0}50%{opacity:.5}to{opacity:1}}',
    ],
    [':root{--a:#fff}a{color:var(--a, var(--b, red))}', ':root{--a:#fff}a{color:var(--a,var(--b,red))}'],
    ['a{&:hover{color:red}}', 'a{&:hover{color:red}}'],
    ['a:is(.b,.c):not(:has(d))::before{inset:0}', 'a:is(.b,.c):not(:has(d))::before{inset:0}'],
    ['a[href^="https"]{text-wrap:balance}', 'a[href^="https"]{text-wrap:balance}'],
    ['.a\\:b{width:calc(100% - 2px)}', '.a\\:b{width:calc(100% - 2px)}'],
    ['a{background:color-mix(in srgb,red,blue)}', 'a{background:color-mix(in srgb,red,blue)}'],
    ['a::before{content:"</style>"}', 'a::before{content:"\\3c /style>"}'],
    ['a::before{content:"<!--"}', 'a::before{content:"\\3c !--"}'],
    ['a{background:url("https://cdn.example.com/x.png")}', 'a{background:url(https://cdn.example.com/x.png)}'],
    ['a{background:url(https://cdn.example.com/</style>)}', 'a{background:url(https://cdn.example.com/\\3c /style>)}'],
    [
      '@font-face{font-family:X;src:url(https://cdn.example.com/x.woff2) format("woff2")}',
      '@font-face{font-family:X;src:url(https://cdn.example.com/x.woff2)format("woff2")}',
    ],
  ])('%s', (css, shown) => {
    expect([problems(css), clean(css)]).toEqual([[], shown])
  })
})

/** The CSS, the refused part, and what is left. */
describe('CSS that is not allowed is refused, and left out', () => {
  test.each([
    ['@import "x.css";b{top:0}', '@import is not allowed', 'b{top:0}'],
    ['@import url(https://cdn.example.com/x.css);', '@import is not allowed', ''],
    ['@IMPORT "x";', '@IMPORT is not allowed', ''],
    ['@im\\70ort "x";', '@im\\70ort is not allowed', ''],
    ['@charset "utf-8";', '@charset is not allowed', ''],
    ['@namespace url(x);', '@namespace is not allowed', ''],
    ['@document url(x){a{color:red}}', '@document is not allowed', ''],
    ['@page{margin:0}', '@page is not allowed', ''],
    ['a{behavior:url(x);top:0}', 'the property "behavior" is not allowed', 'a{top:0}'],
    ['a{BEHAVIOR:url(x)}', 'the property "BEHAVIOR" is not allowed', 'a{}'],
    ['a{beha\\76ior:url(x)}', 'the property "beha\\76ior" is not allowed', 'a{}'],
    ['a{-moz-binding:url(https://cdn.example.com/x)}', 'the property "-moz-binding" is not allowed', 'a{}'],
    ['a{-ms-filter:"x"}', 'the property "-ms-filter" is not allowed', 'a{}'],
    ['a{*color:red}', 'the property "*color" is not allowed', 'a{}'],
    ['a{colour:red}', 'the property "colour" is not allowed', 'a{}'],
    ['a{color:red !ie}', '"!ie" is not allowed', 'a{}'],
    ['@font-face{color:red}', 'the property "color" is not allowed', '@font-face{}'],
    ['a{src:url(https://cdn.example.com/x)}', 'the property "src" is not allowed', 'a{}'],
    ['a{width:expression(alert(1))}', 'the function "expression()" is not allowed', 'a{}'],
    ['a{background:image-set("https://evil.example" 1x)}', 'the function "image-set()" is not allowed', 'a{}'],
    ['a{background:src("https://evil.example")}', 'the function "src()" is not allowed', 'a{}'],
    ['a{background:element(#a)}', 'the function "element()" is not allowed', 'a{}'],
    ['a{background:\\75rl("https://evil.example")}', 'the function "\\75rl()" is not allowed', 'a{}'],
    ['<!-- a{top:0} -->', 'marks of HTML comments are not allowed', 'a{top:0}'],
  ])('%s', (css, refused, left) => {
    expect([problems(css)[0]?.message, clean(css)]).toEqual([expect.stringContaining(refused), left])
    expect(problems(left)).toEqual([])
  })

  const url = (text: string) => `a{background:url(${text})}`
  test.each([
    url('https://evil.example/x'),
    url('http://cdn.example.com/x'),
    url('//cdn.example.com/x'),
    url('/x.png'),
    url('x.png'),
    url('#x'),
    url(''),
    url('data:image/png;base64,AA'),
    url('"javascript:alert(1)"'),
    url('https://cdn.example.com.evil.example/'),
    url('https://cdn.example.com:8443/'),
    url('https://cdn.example.com@evil.example/'),
    url('https://name:word@cdn.example.com/'),
    'a{--x:url(https://evil.example)}',
    'a{color:var(--x,url(https://evil.example))}',
    'a{color:var(--x,var(--y,URL( "https://evil.example" )))}',
    'a{filter:url(#x)}',
    'a{cursor:url(https://evil.example),auto}',
  ])('%s', (css) => {
    expect(problems(css)).toEqual([
      { line: 1, column: expect.any(Number), message: expect.stringMatching(/^the address "/) },
    ])
    expect(cleanCss(css, hosts)).toEqual({ css: 'a{}', urls: [] })
  })

  test('an address in the condition of a rule leaves the rule out', () => {
    expect(clean('@supports (background:url(https://evil.example)){a{color:red}}b{top:0}')).toBe('b{top:0}')
  })
})

describe('CSS that cannot be read is refused as a whole', () => {
  test.each([
    '</style><script>alert(1)</script>',
    'a{}</style><script>alert(1)</script>',
    'a{--x:</style>}',
    'a</style>{}',
    'a{color:var(--x,</style>)}',
    '@media </style>{a{color:red}}',
    '@keyframes </style>{from{color:red}}',
    'a{font-family:</style>}',
    'a:nth-child(</style>){color:red}',
    'a{color:red}}b{color:red}',
    'a{b:c{d:e}}',
    'a{x',
    'a{content:"a\nb"}',
    'a{background:url(https://cdn.example.com/a b)}',
    'a{background:u\\72l(https://evil.example)}',
    'a{filter:progid:DXImageTransform.Microsoft.gradient()}',
  ])('%j', (css) => {
    expect(problems(css)[0]?.message).toMatch(/^cannot be read: /)
    expect(clean(css)).toBe('')
  })
})

test('a problem names its line and its column', () => {
  expect(problems('a {\n  color: red;\n  behavior: none;\n}\n\n@import "x";')).toMatchObject([
    { line: 3, column: 3, message: 'the property "behavior" is not allowed' },
    { line: 6, column: 1 },
  ])
  expect(problems('a{color:var(--a,\n url(x))}')).toMatchObject([{ line: 2, column: 2 }])
})

describe('the size of CSS is bounded before it is parsed', () => {
  test.each([
    ['a{color:red}'.repeat(9000), 'must have at most 100000 characters'],
    ['a{'.repeat(1000), 'must not nest more than 16 brackets'],
    ['@media a{'.repeat(10_000), 'must not nest more than 16 brackets'],
    [`a{b:${'('.repeat(90_000)}`, 'must not nest more than 16 brackets'],
    [`a{b:${'var(--a,'.repeat(10_000)}`, 'must not nest more than 16 brackets'],
    ['a{}'.repeat(6000), 'must have at most 5000 rules'],
  ])('%#', (css, message) => {
    expect(problems(css).map((one) => one.message)).toEqual([message])
    expect(clean(css)).toBe('')
  })

  test.each([
    ['a{b;'],
    ['b;'.repeat(40_000)],
    [`a{${'b;'.repeat(40_000)}`],
    [`a{${'q:1;'.repeat(20_000)}`],
    ['@q;'.repeat(30_000)],
  ])('at most twenty problems are listed: %#', (css) => {
    expect(problems(css).length).toBeGreaterThan(0)
    expect(problems(css).length).toBeLessThanOrEqual(20)
  })
})

const parts = [
  ...[
    'a',
    '{',
    '}',
    '(',
    ')',
    ';',
    ':',
    ',',
    '"',
    "'",
    '\\',
    '/*',
    '*/',
    '<',
    '</style>',
    '<!--',
    '-->',
    '!',
    ' ',
    '\n',
  ],
  ...[
    'color:red',
    'url(',
    'https://evil.example',
    'https://cdn.example.com/x',
    '@media',
    '@import',
    '@font-face',
    'var(--a,',
  ],
  ...['--a:', 'content:', '&', '[', ']', '\\3c ', '\\75rl(', '\0', '\f', '#', '.'],
]

test('whatever the text, what is shown is allowed, stays the same, and does not end the element', () => {
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((list) => list.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      for (const css of [text, `a{${text}}`, `a{color:red;${text}}b{top:0}`, `a{content:"${text}"}`]) {
        const shown = clean(css)
        expect([css, problems(shown)]).toEqual([css, []])
        expect([css, clean(shown)]).toEqual([css, shown])
        expect(shown).not.toMatch(/<[/!]/)
      }
    }),
    { numRuns: 2000 },
  )
})

test('the parser reads brackets of its own text only', () => {
  const { TokenStream, tokenize } = cssTree()
  const text = '[]:top:0][;[: {'
  const used = new TokenStream('['.repeat(100), tokenize)
  used.setSource(text, tokenize)
  expect(used.dump()).toEqual(new TokenStream(text, tokenize).dump())
  expect(problems(`${'['.repeat(16)}${';'.repeat(16)}`)).not.toEqual([])
  expect(problems(text)).not.toEqual([])
})

test('the hosts are those of logos, fonts and backgrounds', () => {
  const none = { logo_url_dark: '', favicon_url: '', page_background_url: '', body_font_url: '' }
  const settings = { ...none, logo_url: 'https://a.example/logo.svg', heading_font_url: 'https://b.example:8443/x' }
  expect(cssHosts({ ...settings, header_background_url: 'https://a.example/c' })).toEqual(
    new Set(['a.example', 'b.example:8443']),
  )
})
