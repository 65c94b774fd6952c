import { createMediaMaker } from '#server/adapters/images/worker-pool.ts'
import { readHeader } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { mutant, realPictures, seededRandom } from './picture-mutations.ts'
import { secretsIn } from './pictures.ts'

export type FuzzResult = {
  pictures: number
  accepted: number
  refused: number
  /** Number of worker processes that died. The server's own process must survive. */
  deaths: number
  /** Metadata found in produced files, and errors that aren't refusals. */
  faults: string[]
  seconds: number
}

type Options = {
  /** Each photo is sent once intact, and then damaged like the generated pictures. */
  photos?: readonly Buffer[]
  onProgress?: (done: number) => void
}

/** Sends damaged pictures through the upload pipeline, a few at a time, and checks all output. */
export async function fuzzPictures(count: number, seed: number, { photos = [], onProgress }: Options = {}): Promise<FuzzResult> {
  const random = seededRandom(seed)
  const pictures = [...(await realPictures()), ...photos]
  const result: FuzzResult = { pictures: 0, accepted: 0, refused: 0, deaths: 0, faults: [], seconds: 0 }
  const maker = createMediaMaker({ warn: () => void result.deaths++ })
  const begin = performance.now()
  const one = async (bytes: Buffer, number: number) => {
    try {
      readHeader(bytes, bytes.length)
      const { versions, placeholder } = await maker.makePicture(bytes)
      result.accepted++
      const files = versions.flatMap(({ avif, webp }) => [avif, webp])
      files.push(Buffer.from(placeholder.slice(placeholder.indexOf(',') + 1), 'base64'))
      for (const file of new Set(files)) {
        for (const secret of await secretsIn(file)) result.faults.push(`picture ${number} keeps ${secret}`)
      }
    } catch (error) {
      if (error instanceof MediaRefused) result.refused++
      else result.faults.push(`picture ${number}: ${error}`)
    }
    result.pictures++
    onProgress?.(result.pictures)
  }
  let number = 0
  const lane = async () => {
    while (number < photos.length + count) await one(photos[number] ?? mutant(pictures, random), number++)
  }
  await Promise.all(Array.from({ length: 4 }, lane))
  await maker.stop()
  return { ...result, seconds: (performance.now() - begin) / 1000 }
}
