import { buffer } from 'node:stream/consumers'
import type { Certificate } from '#contracts/certificates.endpoints.ts'
import { CertificateRefused, isPdf, readCsvPage } from './certificate-lines.ts'
import { certificateOf } from './read-certificate.ts'

/** What the process prints, as a single line of JSON. */
export type CertificateLine = { certificate: Certificate } | { refused: string }

async function read(bytes: Buffer): Promise<CertificateLine> {
  try {
    // PDF.js takes a while to load.
    const certificate = isPdf(bytes)
      ? certificateOf('pdf', await (await import('./pdf-pages.ts')).readPdfPages(bytes))
      : certificateOf('csv', [readCsvPage(bytes)])
    return { certificate }
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error
    return { refused: error.message }
  }
}

const line = await read(await buffer(process.stdin))
process.stdout.write(`${JSON.stringify(line)}\n`, () => process.exit(0))
