/** URLs that the server must refuse to call: private addresses in many spellings, other schemes, and malformed URLs. */

export type HostileTarget = {
  /** An absolute URL with the given port. */
  url: string
  /** The addresses that the URL's name resolves to, one list per lookup; the last list repeats. Names without lists aren't resolved. */
  answers?: string[][]
}

type Bytes = readonly [number, number, number, number]

const privateBlocks: readonly Bytes[] = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [0, 0, 0, 0],
  [10, 0, 0, 1],
  [10, 255, 0, 1],
  [172, 16, 0, 1],
  [172, 31, 255, 1],
  [192, 168, 0, 1],
  [192, 168, 255, 254],
  [169, 254, 169, 254],
  [100, 64, 0, 1],
  [192, 0, 0, 8],
  [198, 18, 0, 1],
  [224, 0, 0, 1],
  [255, 255, 255, 255],
]

const hex = (value: number) => value.toString(16)
const pair = (high: number, low: number) => hex(high * 256 + low)
const fullWidth = (text: string) => [...text].map((each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).join('')
const whole = ([a, b, c, d]: Bytes) => a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d

/** The forms that browsers and the URL standard read as this IPv4 address. */
function spellingsOf(bytes: Bytes): string[] {
  const [a, b, c, d] = bytes
  const dotted = bytes.join('.')
  return [
    dotted,
    `${dotted}.`,
    fullWidth(dotted),
    dotted.replaceAll('.', '。'),
    encodeURIComponent(dotted).replace(/\d/g, (digit) => `%${hex(digit.charCodeAt(0))}`),
    String(whole(bytes)),
    `0x${hex(whole(bytes))}`,
    `0${whole(bytes).toString(8)}`,
    bytes.map((each) => `0x${hex(each)}`).join('.'),
    bytes.map((each) => `0${each.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `0x${hex(a)}.0${b.toString(8)}.${c}.${d}`,
    `000${a.toString(8)}.${b}.${c}.${d}`,
  ]
}

/** IPv6 addresses that contain this IPv4 address. */
function embeddings([a, b, c, d]: Bytes): string[] {
  const [high, low] = [pair(a, b), pair(c, d)]
  return [
    `::ffff:${a}.${b}.${c}.${d}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`,
    `fe80::5efe:${high}:${low}`,
  ]
}

const privateSixes = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
]
const userInfos = ['user@', 'user:secret@', 'example.com@', 'example.com:443@', '%65xample.com%40@']
const publicAddress = '93.184.216.34'

export function hostileTargets(port: number): HostileTarget[] {
  const targets: HostileTarget[] = []
  const literal = (host: string, scheme = 'https') => targets.push({ url: `${scheme}://${host}:${port}/hook` })
  for (const block of privateBlocks) {
    for (const spelling of spellingsOf(block)) {
      literal(spelling)
      literal(spelling, 'http')
      literal(`${userInfos[targets.length % userInfos.length]}${spelling}`)
    }
    for (const six of embeddings(block)) literal(`[${six}]`)
  }
  for (const six of privateSixes) for (const scheme of ['https', 'http']) literal(`[${six}]`, scheme)

  let number = 0
  const named = (answers: string[][], name = (host: string) => host) =>
    targets.push({ url: `https://${name(`host-${++number}.example`)}:${port}/hook`, answers })
  const names = [
    (host: string) => host,
    (host: string) => `${host}.`,
    (host: string) => host.toUpperCase(),
    (host: string) => `bücher.${host}`,
    (host: string) => `xn--bcher-kva.${host}`,
    (host: string) => fullWidth(host),
  ]
  for (const address of [...privateBlocks.map((block) => block.join('.')), ...privateSixes, ...privateBlocks.flatMap(embeddings)]) {
    named([[address]], names[number % names.length])
    named([[publicAddress, address]], names[number % names.length])
  }
  for (const name of ['localhost', 'localhost.', 'LOCALHOST', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'a.localhost', 'localhost.localdomain']) {
    targets.push({ url: `https://${name}:${port}/hook`, answers: [['127.0.0.1', '::1']] })
  }
  for (const scheme of ['file', 'ftp', 'gopher', 'ws', 'data', 'javascript', 'unix', 'blob']) {
    targets.push({ url: `${scheme}://127.0.0.1:${port}/hook` })
  }
  for (const text of [
    '',
    'https://',
    `//127.0.0.1:${port}`,
    `https:///127.0.0.1:${port}`,
    `https://[::1`,
    `https://127.0.0.1:${port}:1/`,
  ]) {
    targets.push({ url: text })
  }
  return targets
}
