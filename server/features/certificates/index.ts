import type { Certificate } from '#contracts/certificates.endpoints.ts'
import * as contract from '#contracts/certificates.endpoints.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import { AppError } from '#server/kernel/errors.ts'
import { bodyLimits, createGate } from '#server/kernel/gate.ts'
import { ParsingTooLarge, parseInProcess } from '#server/kernel/parse-process.ts'
import { type Api, route } from '#server/kernel/route.ts'
import type { CertificateLine } from './certificate-worker.ts'

/** Calls that send a file of up to 10 MB. */
const arriving = createGate(bodyLimits)
/** Calls that run a process. No one can have more than one running, because a person's files are received one at a time. */
const reading = createGate({ maxConcurrent: 2, maxWaiting: 4, maxWaitMs: 20_000 })

/** In megabytes and milliseconds. A certificate of 20 pages takes about a second. */
const limits = { maxHeap: 256, maxMemory: 512, timeLimitMs: 20_000 }

export function registerCertificates(api: Api): void {
  route(
    api,
    contract.extractCertificate,
    async ({ ctx, actor, params, bytes }) => {
      await requireHunt(ctx.db, actor, params.id, 'write')
      const certificate = await reading(() => readInProcess(bytes))
      if (certificate.samples.length > 0) return certificate
      throw refused(
        'We found no cannabinoids or terpenes with a result in this file. Enter the results below, or save them as a CSV with the columns Sample, Analyte, Result and Unit.',
      )
    },
    { bodyGate: arriving, isUnread: true },
  )
}

const refused = (message: string) => new AppError('invalid_input', { message })

/** @throws AppError invalid_input if the file can't be read */
async function readInProcess(bytes: Buffer): Promise<Certificate> {
  try {
    for await (const text of parseInProcess(new URL('./certificate-worker.ts', import.meta.url), bytes, limits)) {
      const line = JSON.parse(text) as CertificateLine
      if ('refused' in line) throw refused(line.refused)
      return line.certificate
    }
  } catch (error) {
    if (!(error instanceof ParsingTooLarge)) throw error
    throw refused('This file took too long to read. Enter its results below.')
  }
  throw new Error('The process that reads a certificate stopped early.')
}
