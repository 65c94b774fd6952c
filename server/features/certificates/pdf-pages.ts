import { getDocument } from 'unpdf/pdfjs'
import { type CertificatePage, CertificateRefused, linesOfItems, type TextItem } from './certificate-lines.ts'

const maxPages = 60
const damaged = 'This PDF is damaged or isn’t a PDF. Download it again from the lab.'
/** Maximum text items per page. The densest pages of certificates have about 1,500. */
const maxItems = 10_000

type Matrix = readonly [number, number, number, number, number, number]

const times = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]

const open = (bytes: Uint8Array) =>
  getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: 0,
  }).promise.catch((error: unknown) => {
    const isLocked = (error as { name?: string }).name === 'PasswordException'
    throw new CertificateRefused(isLocked ? 'This PDF is protected by a password. Save a copy without one and choose that.' : damaged)
  })

/** Time and memory depend only on the file, so call this in a process with limits. @throws CertificateRefused */
export async function readPdfPages(bytes: Uint8Array): Promise<CertificatePage[]> {
  const document = await open(bytes)
  if (document.numPages > maxPages) {
    throw new CertificateRefused(`A PDF can have at most ${maxPages} pages. This one has ${document.numPages}.`)
  }
  const pages: CertificatePage[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { upright, items } = await readPage(document, number)
    const placed = items.flatMap((item): TextItem[] => {
      if (!('str' in item) || item.str.trim() === '') return []
      const [along, turned, , up, x, y] = times(upright, item.transform as unknown as Matrix)
      // Skips stamps and margin notes, which are rotated.
      if (Math.abs(turned) > Math.abs(along) * 0.1) return []
      return [{ text: item.str, x, y, width: item.width, size: Math.abs(up) }]
    })
    pages.push({ lines: linesOfItems(placed) })
  }
  if (pages.every(({ lines }) => lines.length === 0)) {
    throw new CertificateRefused(
      'This PDF is a picture without text, such as a scan. Ask the lab for the original PDF or a CSV, or enter the results below.',
    )
  }
  return pages
}

/** @throws CertificateRefused, and RangeError if there isn't enough memory */
async function readPage(document: Awaited<ReturnType<typeof open>>, number: number) {
  try {
    const page = await document.getPage(number)
    const upright = page.getViewport({ scale: 1 }).transform as unknown as Matrix
    const { items } = await page.getTextContent()
    page.cleanup()
    return { upright, items: items.slice(0, maxItems) }
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('allocation failed')) throw error
    throw new CertificateRefused(damaged)
  }
}
