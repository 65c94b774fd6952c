import { expect, it } from 'vitest'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { aacFilter, av1Filter, avcFilter, opusFilter } from './user-data.ts'

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')
const bytes = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
/** Leftmost bit first, padded to a byte. */
const bits = (text: string) => {
  const digits = text.replaceAll(' ', '')
  return new Uint8Array(
    Buffer.from(
      digits
        .padEnd(8 * Math.ceil(digits.length / 8), '0')
        .match(/.{8}/g)
        ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
    ),
  )
}
const ascii = (text: string) => Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join(' ')

it.each([1, 2, 4])('drops H.264 SEI units with %i-byte lengths', (size) => {
  const length = (count: number) => count.toString(16).padStart(2 * size, '0')
  const { filter } = avcFilter(bytes(`01 42 00 1e ${(0xfc + size - 1).toString(16)} e0 00`))
  const [sei, slice, filler] = [`${length(3)} 06 05 aa`, `${length(2)} 65 88`, `${length(2)} 0c ff`]
  expect(hex(filter(bytes(`${sei} ${slice} ${filler}`)))).toBe(`${length(2)}6588`)
  expect(filter(bytes(sei))).toHaveLength(0)
  expect(() => filter(bytes(`${length(9)} 65`))).toThrow(MediaRefused)
})

it('drops H.264 SEI units between start codes', () => {
  const { filter, description } = avcFilter(undefined)
  expect(description).toBeUndefined()
  expect(hex(filter(bytes('00 00 00 01 67 42 00 00 01 68 ce 00 00 01 06 05 aa 80 00 00 00 01 65 88')))).toBe(
    '000000016742' + '0000000168ce' + '000000016588',
  )
})

it('keeps only the parameter sets of an H.264 configuration', () => {
  const high = '01 64 00 1e ff e2 0002 0605 0002 6764 01 0002 68ee'
  expect(hex(avcFilter(bytes(`${high} fd f8 f8 01 0002 6d01 beef`)).description)).toBe(
    '0164001effe100026764' + '01000268ee' + 'fdf8f80100026d01',
  )
  // Old software writes a configuration without the high-profile fields.
  expect(hex(avcFilter(bytes(high)).description)).toBe('0164001effe10002676401000268ee')
  expect(hex(avcFilter(bytes('01 42 00 1e ff e1 0002 6742 01 0002 68ee beef')).description)).toBe('0142001effe1000267420100' + '0268ee')
  expect(() => avcFilter(bytes('01 42 00 1e ff e1 00ff 67'))).toThrow(MediaRefused)
})

it('drops AV1 metadata and padding, with and without sizes', () => {
  const { filter } = av1Filter()
  const [sequence, frame] = ['0a 01 ff', '32 02 aabb']
  expect(hex(filter(bytes(`12 00 ${sequence} 2a 02 04aa 2e 00 01 cc ${frame} 7a 01 dd 2a 82 00 04aa`)))).toBe('0a01ff3202aabb')
  expect(hex(filter(bytes(`${sequence} 30 aabb`)))).toBe('0a01ff30aabb')
  expect(hex(filter(bytes(`${sequence} 28 04aa`)))).toBe('0a01ff')
  expect(() => filter(bytes('32 09 aa'))).toThrow(MediaRefused)
})

/** AAC-LC at 44.1 kHz with two channels. */
const stereo = bytes('1210')

it('overwrites text before AAC audio at any bit offset', () => {
  const data = (text: string) => `100 0001 0 00000011 ${ascii(text)}`
  const fill = (text: string) => `110 0100 0000 0000 ${ascii(text)}`
  // Starts 15 bits after a byte boundary, so one bit is skipped before its text.
  const alignedData = (text: string) => `100 0001 1 00000011 0 ${ascii(text)}`
  const packet = (text: string) => bits(`${data(text)} ${fill(text)} ${alignedData(text)} 000 0000 1010 1100 1111 111`)
  expect(hex(aacFilter(stereo).filter(packet('GPS')))).toBe(hex(packet('\0\0\0')))
})

it('leaves AAC audio and functional fill elements alone', () => {
  const { filter } = aacFilter(stereo)
  const dynamicRange = bits(`110 0010 1011 0000 ${ascii('G')} 000 0000 1010 1100`)
  expect(hex(filter(dynamicRange))).toBe(hex(dynamicRange))
  const sound = bits(`001 0000 1010 1100 ${ascii('GPS')}`)
  expect(hex(filter(sound))).toBe(hex(sound))
})

it('overwrites the comment in an AAC configuration and cuts the bytes after it', () => {
  const comment = (text: string) => `0 00000011 ${ascii(text)}`
  // A program configuration: tag, type, frequency, one front pair, nothing else.
  const config = (text: string) => `00010 0100 0000 000 0000 01 0100 0001 0000 0000 00 000 0000 000 1 0000 ${comment(text)}`
  expect(hex(aacFilter(bits(config('GPS') + ascii('end'))).description)).toBe(hex(bits(config('\0\0\0'))))
  expect(hex(aacFilter(bytes('1210 47 50 53')).description)).toBe('1210')
  // SBR and parametric stereo are still signaled.
  expect(hex(aacFilter(bytes('1210 56e5 a548 80 47')).description)).toBe('121056e5a54880')
})

it.each([
  ['ELD', '11111 000111 0100 0010'],
  ['USAC', '11111 001010 0100 0010'],
])('refuses AAC that browsers can’t play: %s', (_name, config) => {
  expect(() => aacFilter(bits(config))).toThrow(/video’s audio doesn’t play/)
})

it('overwrites Opus padding and cuts the bytes after the configuration', () => {
  const head = `${Buffer.from('OpusHead').toString('hex')} 01 02 3801 80bb0000 0000`
  expect(hex(opusFilter(bytes(`${head} 00 475053`)).description)).toBe(hex(bytes(`${head} 00`)))
  expect(hex(opusFilter(bytes(`${head} 01 01 01 0001 475053`)).description)).toBe(hex(bytes(`${head} 01 01 01 0001`)))
  const { filter } = opusFilter(undefined)
  expect(hex(filter(bytes('7b 41 03 aabb 475053')))).toBe('7b4103aabb000000')
  expect(hex(filter(bytes('7b 01 aabb 475053')))).toBe('7b01aabb475053')
  expect(hex(filter(bytes('78 41 03 aabb')))).toBe('784103aabb')
  const long = Buffer.concat([bytes('7b 41 ff 01 aabb'), Buffer.alloc(255, 'G')])
  expect(hex(filter(long))).toBe(`7b41ff01aabb${'00'.repeat(255)}`)
})
