import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { maxVideoBytes } from '#contracts/media.rules.ts'
import { maxVideoSeconds } from '#contracts/media.ts'
import { readHeader, refusals } from '#server/kernel/media-header.ts'
import { MediaRefused, type ProcessedVideo } from '#server/kernel/media-maker.ts'
import { aacFilter, av1Filter, avcFilter, opusFilter, type StreamFilter, unsupportedAudioMessage, vpxFilter } from './user-data.ts'

const sentences = {
  heavy: `A video can be up to ${maxVideoBytes / 1024 / 1024} MB. Make it shorter and send it again.`,
  long: `A video can be up to ${maxVideoSeconds} seconds long. Trim it and send it again.`,
  noPicture: 'This file has no video.',
  hevc: 'HEVC (H.265) videos don’t play everywhere. On an iPhone, choose Settings → Camera → Formats → Most Compatible, and record it again.',
  video: 'This kind of video doesn’t play in browsers. Send an MP4 with H.264, or a WebM.',
  audio: unsupportedAudioMessage,
}

const videoCodecs = ['avc', 'vp8', 'vp9', 'av1'] as const
const audioCodecs = ['aac', 'opus'] as const
const webmCodecs = new Set<string>(['vp8', 'vp9', 'av1', 'opus'])
const maxSide = 8192
/** Enough for 60 seconds at 240 frames per second. */
const maxPackets = 20_000

/**
 * Copies the packets of the primary video and audio tracks into a new file without decoding them. Drops embedded user data (places,
 * devices, dates, titles) and other tracks.
 * @throws MediaRefused
 */
export async function remuxVideo(bytes: Buffer): Promise<ProcessedVideo> {
  if (readHeader(bytes, bytes.length).kind !== 'video') throw new MediaRefused(refusals.unknown)
  if (bytes.length > maxVideoBytes) throw new MediaRefused(sentences.heavy)
  try {
    return await remux(bytes)
  } catch (error) {
    throw error instanceof MediaRefused ? error : new MediaRefused(refusals.damaged, { cause: error })
  }
}

async function remux(bytes: Buffer): Promise<ProcessedVideo> {
  using input = new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF, WEBM, MATROSKA] })
  if (!(await input.canRead())) throw new MediaRefused(refusals.unknown)
  const video = await input.getPrimaryVideoTrack()
  if (!video) throw new MediaRefused(sentences.noPicture)
  const audio = await input.getPrimaryAudioTrack()
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()]
  if (!(width > 0 && height > 0 && width <= maxSide && height <= maxSide)) throw new MediaRefused(refusals.damaged)

  const codecs = { video: await videoCodecOf(video), audio: audio && (await audioCodecOf(audio)) }
  const isWebm = webmCodecs.has(codecs.video) && codecs.video !== 'av1' && (codecs.audio === null || webmCodecs.has(codecs.audio))
  const target = new BufferTarget()
  const output = new Output({ format: isWebm ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const pictures = new EncodedVideoPacketSource(codecs.video)
  output.addVideoTrack(pictures, { rotation: await video.getRotation() })
  const sounds = codecs.audio && new EncodedAudioPacketSource(codecs.audio)
  if (sounds) output.addAudioTrack(sounds)
  await output.start()

  const start = Math.max(0, await video.getFirstTimestamp())
  const [videoEnd, audioEnd] = await Promise.all([
    copyVideo(video, pictures, codecs.video, start),
    audio && sounds && codecs.audio ? copyAudio(audio, sounds, codecs.audio, start) : 0,
  ])
  await output.finalize()
  if (!target.buffer) throw new MediaRefused(refusals.damaged)
  const made = Buffer.from(target.buffer)
  return {
    width: Math.round(width),
    height: Math.round(height),
    durationMs: Math.round(Math.max(videoEnd, audioEnd) * 1000),
    extension: isWebm ? 'webm' : 'mp4',
    bytes: isWebm ? made : withoutTimes(made),
  }
}

async function videoCodecOf(track: InputVideoTrack) {
  const codec = await track.getCodec()
  const known = videoCodecs.find((each) => each === codec)
  if (!known) throw new MediaRefused(codec === 'hevc' ? sentences.hevc : sentences.video)
  return known
}

async function audioCodecOf(track: InputAudioTrack) {
  const codec = await track.getCodec()
  const known = audioCodecs.find((each) => each === codec)
  if (!known) throw new MediaRefused(sentences.audio)
  return known
}

const videoFilters = { avc: avcFilter, av1: av1Filter, vp8: vpxFilter, vp9: vpxFilter }
const audioFilters = { aac: aacFilter, opus: opusFilter }

/** @returns the end, in seconds from `start` */
async function copyVideo(track: InputVideoTrack, to: EncodedVideoPacketSource, codec: keyof typeof videoFilters, start: number) {
  const { description, ...config } = await configOf(track)
  const filter = videoFilters[codec](bytesOf(description))
  const decoderConfig = { ...config, ...(filter.description ? { description: filter.description } : {}) }
  return copy(track, start, filter, (packet, isFirst) => to.add(packet, isFirst ? { decoderConfig } : undefined))
}

async function copyAudio(track: InputAudioTrack, to: EncodedAudioPacketSource, codec: keyof typeof audioFilters, start: number) {
  const { description, ...config } = await configOf(track)
  const filter = audioFilters[codec](bytesOf(description))
  const decoderConfig = { ...config, ...(filter.description ? { description: filter.description } : {}) }
  return copy(track, start, filter, (packet, isFirst) => to.add(packet, isFirst ? { decoderConfig } : undefined))
}

async function configOf<Config>(track: { getDecoderConfig(): Promise<Config | null> }): Promise<Config> {
  const config = await track.getDecoderConfig()
  if (!config) throw new MediaRefused(refusals.damaged)
  return config
}

const bytesOf = (source: ArrayBuffer | ArrayBufferView | undefined): Uint8Array | undefined =>
  source && (ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source))

type Packet = Awaited<ReturnType<EncodedPacketSink['getFirstPacket']>> & {}
type Add = (packet: Packet, isFirst: boolean) => Promise<void>

async function copy(track: InputVideoTrack | InputAudioTrack, start: number, { filter }: StreamFilter, add: Add): Promise<number> {
  let count = 0
  let end = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const timestamp = packet.timestamp - start
    // Sound before the first picture (encoder delay or an edit) can't be copied.
    if (timestamp < 0 && count === 0) continue
    end = Math.max(end, timestamp + packet.duration)
    if (end > maxVideoSeconds + 0.5 || count >= maxPackets) throw new MediaRefused(sentences.long)
    const data = filter(packet.data)
    if (data.length === 0) continue
    await add(packet.clone({ data, timestamp: Math.max(0, timestamp), sideData: {} }), count === 0)
    count++
  }
  return end
}

const containers = new Set(['moov', 'trak', 'mdia'])
const timed = new Set(['mvhd', 'tkhd', 'mdhd'])

/** Overwrites the creation and modification times of an MP4 file in place, with zeros for "unknown". */
function withoutTimes(file: Buffer): Buffer {
  eachBox(file, 0, file.length)
  return file
}

function eachBox(file: Buffer, from: number, to: number): void {
  for (let at = from; at + 8 <= to; ) {
    const size = file.readUInt32BE(at)
    const isLong = size === 1
    const length = isLong && at + 16 <= to ? Number(file.readBigUInt64BE(at + 8)) : size === 0 ? to - at : size
    const type = file.toString('latin1', at + 4, at + 8)
    if (length < 8 || at + length > to) return
    const content = at + (isLong ? 16 : 8)
    if (containers.has(type)) eachBox(file, content, at + length)
    // Version and flags, then two 32-bit times, or 64-bit ones in version 1.
    else if (timed.has(type)) file.fill(0, content + 4, content + 4 + (file[content] === 1 ? 16 : 8))
    at += length
  }
}
