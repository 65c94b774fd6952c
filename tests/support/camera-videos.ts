import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { canary } from './pictures.ts'
import { video } from './videos.ts'

/** A file with distinct text in every place where cameras and encoders leave metadata. */
type Marked = { bytes: Buffer; places: string[] }

type Change = (data: Buffer, index: number) => Buffer
type Changes = { video?: Change; audio?: Change; description?: (of: Buffer, kind: 'video' | 'audio') => Buffer }

/** The marker for one spot in the file, without spaces or zero bytes. */
const mark = (place: string) => Buffer.from(`${canary}:${place}`)

/** H.264 with AAC, marked in SEI, other units, the configuration, elements before the audio, boxes, a location track and trailing bytes. */
export async function markedMp4(): Promise<Marked> {
  const unit = (type: number, ...content: Buffer[]) => prefixed(Buffer.concat([Buffer.of(type), ...content, Buffer.of(0x80)]), 4)
  const sei = (type: number, content: Buffer) => unit(6, Buffer.of(type, content.length), content)
  const before = [
    unit(9, Buffer.of(0xf0)),
    sei(5, Buffer.concat([Buffer.from('0123456789abcdef'), mark('sei-unregistered')])),
    sei(4, Buffer.concat([Buffer.of(0xb5, 0, 0x31), mark('sei-registered')])),
    unit(30, mark('unspecified-unit')),
  ]
  const after = [sei(45, mark('sei-after')), unit(12, mark('filler'))]
  const made = await rewritten(video('h264.mp4'), new Mp4OutputFormat({ fastStart: false }), {
    video: (data) => Buffer.concat([...before, data, ...after]),
    // Both elements end on a byte boundary, so the audio data after them is unchanged.
    audio: (data) => Buffer.concat([dataElement(mark('aac-data')), configElement(mark('aac-comment')), data]),
    description: (of, kind) => (kind === 'video' ? withSeiInConfig(of) : Buffer.concat([of, mark('aac-config')])),
  })
  const value = box('data', words(1, 0), mark('box-ilst'))
  const boxes = [
    box('udta', box('\xa9xyz', Buffer.of(0, 40, 0x15, 0xc7), mark('box-xyz')), box('GPMF', mark('box-gpmf'))),
    box('meta', handlerBox('mdta', ''), box('keys', words(0, 1), box('mdta', mark('box-keys'))), box('ilst', box('\0\0\0\x01', value))),
  ]
  const place = mark('gpmd-track')
  const moovAt = made.indexOf('moov') - 4
  const moov = (placeAt: number) => box('moov', made.subarray(moovAt + 8), ...boxes, placeTrack(place.length, placeAt))
  const tail = [
    box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), mark('box-xmp')),
    box('free', mark('box-free')),
    mark('after-the-end'),
  ]
  const placeAt = moovAt + moov(0).length + 8
  const bytes = Buffer.concat([made.subarray(0, moovAt), moov(placeAt), box('mdat', place), ...tail])
  return { bytes, places: placesOf(bytes) }
}

/** AV1 with metadata, padding and a reserved unit in each packet. */
export async function markedAv1(): Promise<Marked> {
  const obu = (type: number, content: Buffer) => Buffer.concat([Buffer.of((type << 3) | 2, content.length), content])
  const bytes = await rewritten(video('av1.mp4'), new Mp4OutputFormat({ fastStart: 'in-memory' }), {
    video: (data) =>
      Buffer.concat([
        Buffer.of(0x12, 0),
        obu(5, Buffer.concat([Buffer.of(4, 0xb5), mark('obu-metadata')])),
        data,
        obu(15, mark('obu-padding')),
        obu(9, mark('obu-reserved')),
      ]),
  })
  return { bytes, places: placesOf(bytes) }
}

/** VP9 with Opus: audio padding, and bytes after its configuration. */
export async function markedWebm(): Promise<Marked> {
  const bytes = await rewritten(video('vp9.webm'), new WebMOutputFormat(), {
    audio: (data) => {
      const text = mark('opus-padding')
      const [toc = 0] = data
      return (toc & 3) === 0 ? Buffer.concat([Buffer.of(toc | 3, 0x41, text.length), data.subarray(1), text]) : data
    },
    description: (of, kind) => (kind === 'audio' ? Buffer.concat([of, mark('opus-head')]) : of),
  })
  return { bytes, places: placesOf(bytes) }
}

const placesOf = (bytes: Buffer): string[] => [
  ...new Set(Array.from(bytes.toString('latin1').matchAll(new RegExp(`${canary}:([a-z-]+)`, 'g')), ([, place]) => place as string)),
]

/** Remuxes a file's primary tracks, with each packet changed. */
async function rewritten(original: Buffer, format: Mp4OutputFormat | WebMOutputFormat, changes: Changes): Promise<Buffer> {
  using input = new Input({ source: new BufferSource(original), formats: ALL_FORMATS })
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const [pictures, sounds] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (!pictures || !sounds) throw new Error('a test video needs pictures and sounds')
  const [videoCodec, audioCodec] = [await pictures.getCodec(), await sounds.getCodec()]
  const [videoConfig, audioConfig] = [await pictures.getDecoderConfig(), await sounds.getDecoderConfig()]
  if (!videoCodec || !audioCodec || !videoConfig || !audioConfig) throw new Error('a test video needs known codecs')
  const [toVideo, toAudio] = [new EncodedVideoPacketSource(videoCodec), new EncodedAudioPacketSource(audioCodec)]
  output.addVideoTrack(toVideo)
  output.addAudioTrack(toAudio)
  await output.start()
  const described = <Config extends { description?: ArrayBuffer | ArrayBufferView }>(config: Config, kind: 'video' | 'audio'): Config => {
    const { description } = config
    if (!description || !changes.description) return config
    const bytes = ArrayBuffer.isView(description)
      ? Buffer.from(description.buffer, description.byteOffset, description.byteLength)
      : Buffer.from(description)
    return { ...config, description: new Uint8Array(changes.description(bytes, kind)) }
  }
  const change = (packet: EncodedPacket, how: Change | undefined, index: number) =>
    packet.clone({
      timestamp: Math.max(0, packet.timestamp),
      ...(how ? { data: new Uint8Array(how(Buffer.from(packet.data), index)) } : {}),
    })
  let count = 0
  for await (const packet of new EncodedPacketSink(pictures).packets())
    await toVideo.add(change(packet, changes.video, count++), { decoderConfig: described(videoConfig, 'video') })
  count = 0
  for await (const packet of new EncodedPacketSink(sounds).packets())
    await toAudio.add(change(packet, changes.audio, count++), { decoderConfig: described(audioConfig, 'audio') })
  await output.finalize()
  return Buffer.from(target.buffer as ArrayBuffer)
}

function prefixed(unit: Buffer, size: number): Buffer {
  const length = Buffer.alloc(size)
  length.writeUIntBE(unit.length, 0, size)
  return Buffer.concat([length, unit])
}

/** An avcC with an SEI among its parameter sets, as some encoders write, and bytes after its last field. */
function withSeiInConfig(config: Buffer): Buffer {
  const sei = prefixed(Buffer.concat([Buffer.of(6, 5, 40), mark('avcc-sei')]), 2)
  const changed = Buffer.concat([config.subarray(0, 6), sei, config.subarray(6), mark('avcc-end')])
  changed[5] = (changed[5] as number) + 1
  return changed
}

/** data_stream_element: ID 4, tag, not aligned, count, bytes. */
export const dataElement = (content: Buffer) => Buffer.concat([Buffer.of(0x80, content.length), content])

/** program_config_element without channels: 37 bits, padded to a byte, and a comment. */
const configElement = (comment: Buffer) => Buffer.concat([Buffer.of(0xa0, 0, 0, 0, 0, comment.length), comment])

function box(type: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i)
  return bytes
}

const handlerBox = (type: string, name: string) => box('hdlr', words(0, 0), Buffer.from(type), words(0, 0, 0), Buffer.from(`${name}\0`))

/** A GoPro-style location track: one sample at `at`. */
function placeTrack(length: number, at: number): Buffer {
  const table = box(
    'stbl',
    box('stsd', words(0, 1), box('gpmd', words(0, 1))),
    box('stts', words(0, 1, 1, 1000)),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stsz', words(0, length, 1)),
    box('stco', words(0, 1, at)),
  )
  return box(
    'trak',
    box('tkhd', words(7, 0, 0, 9, 0, 1000), Buffer.alloc(60)),
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, 1000, 1000, 0x55c40000)),
      handlerBox('meta', 'GoPro MET'),
      box('minf', box('gmhd', Buffer.alloc(0)), table),
    ),
  )
}
