import { deflateSync } from 'node:zlib'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'

/** Results that a certificate states, in percent. `null`: not detected. `{ below }`: under the limit of quantification. */
export type StatedResults = Record<string, number | null | { below: number }>

export const statedResults: StatedResults = {
  THCA: 24.127,
  'Δ9-THC': 0.812,
  CBDA: { below: 0.014 },
  CBD: null,
  CBGA: 0.731,
  'β-Myrcene': 0.612,
  Limonene: 0.405,
  'β-Caryophyllene': 0.358,
  Linalool: { below: 0.009 },
}
const lod = { THCA: 0.005, 'Δ9-THC': 0.005, CBDA: 0.005, CBD: 0.005, CBGA: 0.004 } as Record<string, number>
const loq = { THCA: 0.014, 'Δ9-THC': 0.015, CBDA: 0.014, CBD: 0.016, CBGA: 0.012 } as Record<string, number>
const [lodOf, loqOf] = [(name: string) => lod[name] ?? 0.003, (name: string) => loq[name] ?? 0.009]
const isTerpene = (name: string) => /ene$|ool$/.test(name)
const cannabinoids = Object.keys(statedResults).filter((name) => !isTerpene(name))
const terpenes = Object.keys(statedResults).filter(isTerpene)

const digits = (number: number): string => String(Number(number.toFixed(6)))
/** A result in a unit. `perPercent` units equal one percent. */
const cell = (name: string, perPercent = 1): string => {
  const value = statedResults[name] as StatedResults[string]
  if (value === null) return 'ND'
  return typeof value === 'number' ? digits(value * perPercent) : '<LOQ'
}

type Text = { text: string; x: number; y: number; size?: number; align?: 'left' | 'center' | 'right'; turned?: boolean }
const at = (x: number, y: number, text: string, more: Partial<Text> = {}): Text => ({ x, y, text, ...more })

/** A PDF with text positioned from the upper left corner. Greek letters use another font, as in many certificates. */
async function pdfOf(pages: readonly (readonly Text[])[]): Promise<Buffer> {
  const document = await PDFDocument.create()
  const latin = await document.embedFont(StandardFonts.Helvetica)
  const greek = await document.embedFont(StandardFonts.Symbol)
  for (const texts of pages) {
    const page = document.addPage([612, 792])
    for (const { text, x, y, size = 8, align = 'left' } of texts) {
      const pieces = text.match(/[Δαβγ]|[^Δαβγ]+/g) ?? []
      const fontOf = (piece: string) => (/[Δαβγ]/.test(piece) ? greek : latin)
      const width = pieces.reduce((sum, piece) => sum + fontOf(piece).widthOfTextAtSize(piece, size), 0)
      let left = align === 'right' ? x - width : align === 'center' ? x - width / 2 : x
      for (const piece of pieces) {
        page.drawText(piece, { x: left, y: 792 - y, size, font: fontOf(piece) })
        left += fontOf(piece).widthOfTextAtSize(piece, size)
      }
    }
  }
  return Buffer.from(await document.save())
}

const rows = <Item>(items: readonly Item[], top: number, row: (item: Item, y: number) => Text[]): Text[] =>
  items.flatMap((item, nth) => row(item, top + nth * 13))

const pesticides = (y: number, x = 40): Text[] => [
  ...[
    at(x, y, 'Analyte'),
    at(x + 130, y, 'LOD (ug/g)'),
    at(x + 200, y, 'Action Limit (ug/g)'),
    at(x + 310, y, 'Result (ug/g)'),
    at(x + 400, y, 'Status'),
  ],
  ...rows(['Abamectin', 'Bifenazate', 'Myclobutanil'], y + 13, (name, top) => [
    ...[at(x, top, name), at(x + 130, top, '0.03'), at(x + 200, top, '0.1'), at(x + 310, top, 'ND'), at(x + 400, top, 'PASS')],
  ]),
]

/** One row per result, with LOD / LOQ in one column and the uncertainty in another (as on certificates from SC Labs in California). */
const combinedLimits = (name: string) =>
  pdfOf([
    [
      ...[
        at(40, 40, 'Golden Coast Labs', { size: 14 }),
        at(40, 60, '100 Pioneer St, Santa Cruz, CA 95060'),
        at(40, 75, 'Certificate of Analysis', { size: 12 }),
      ],
      ...[
        at(40, 95, `Sample Name: ${name}`),
        at(300, 95, 'Date Collected: 11/02/2026'),
        at(40, 108, 'Sample ID: 261103M012'),
        at(300, 108, 'Date Received: 11/03/2026'),
      ],
      ...[at(40, 121, 'Batch Number: PH-26-11'), at(300, 121, 'Date Tested: 11/06/2026')],
      at(40, 150, 'CANNABINOID TEST RESULTS - 11/06/2026', { size: 10 }),
      ...[at(40, 170, 'COMPOUND'), at(190, 165, 'LOD/LOQ', { align: 'center' }), at(190, 175, '(mg/g)', { align: 'center' })],
      ...[
        at(300, 160, 'MEASUREMENT', { align: 'center' }),
        at(300, 170, 'UNCERTAINTY', { align: 'center' }),
        at(300, 180, '(mg/g)', { align: 'center' }),
      ],
      ...[
        at(400, 165, 'RESULT', { align: 'center' }),
        at(400, 175, '(mg/g)', { align: 'center' }),
        at(480, 165, 'RESULT', { align: 'center' }),
        at(480, 175, '(%)', { align: 'center' }),
      ],
      ...rows(cannabinoids, 200, (each, y) => [
        ...[
          at(40, y, each.replace('THCA', 'THCa').replace('CBDA', 'CBDa')),
          at(190, y, `${digits(lodOf(each) * 10)} / ${digits(loqOf(each) * 10)}`, { align: 'center' }),
        ],
        ...[
          at(300, y, typeof statedResults[each] === 'number' ? '±1.273' : 'N/A', { align: 'center' }),
          at(400, y, cell(each, 10), { align: 'center' }),
          at(480, y, cell(each), { align: 'center' }),
        ],
      ]),
      at(40, 300, 'TERPENOID TEST RESULTS - 11/06/2026', { size: 10 }),
      ...[
        at(40, 320, 'COMPOUND'),
        at(190, 320, 'LOD/LOQ (mg/g)', { align: 'center' }),
        at(400, 320, 'RESULT (mg/g)', { align: 'center' }),
        at(480, 320, 'RESULT (%)', { align: 'center' }),
      ],
      ...rows(terpenes, 340, (each, y) => [
        ...[at(40, y, each), at(190, y, `${digits(lodOf(each) * 10)} / ${digits(loqOf(each) * 10)}`, { align: 'center' })],
        ...[at(400, y, cell(each, 10), { align: 'center' }), at(480, y, cell(each), { align: 'center' })],
      ]),
      at(
        40,
        420,
        'Total THC = THC + (THCa (0.877)). ND = not detected, N/A = not applicable. Results relate only to the sample as received.',
        { size: 6 },
      ),
    ],
    [at(40, 60, `Sample Name: ${name}`), at(40, 80, 'PESTICIDE TEST RESULTS'), ...pesticides(100)],
  ])

/** Units on the header's second line, a dilution, and a summary beside the rows (as on certificates from ACS Laboratory in Florida). */
const summaryBeside = (name: string) =>
  pdfOf([
    [
      ...[
        at(40, 40, 'Bayside Laboratory, LLC', { size: 14 }),
        at(40, 70, `Strain: ${name}`),
        at(300, 70, 'Completed: Nov 6, 2026'),
        at(40, 84, 'Lab ID: AA-20417'),
        at(300, 84, 'Received: Nov 3, 2026'),
      ],
      ...[at(40, 120, 'Potency - 5 Tested'), at(440, 120, 'Potency Summary')],
      ...[
        at(40, 136, 'Analyte'),
        at(140, 136, 'Dilution'),
        at(200, 136, 'LOD'),
        at(255, 136, 'LOQ'),
        at(310, 136, 'Result'),
        at(370, 136, '(%)'),
      ],
      ...[at(140, 146, '(1:n)'), at(200, 146, '(%)'), at(255, 146, '(%)'), at(310, 146, '(mg/g)')],
      ...rows(cannabinoids, 162, (each, y) => [
        ...[
          at(40, y, each.replace('Δ9', 'Delta-9').replace('THCA', 'THCA-A')),
          at(140, y, '15.000'),
          at(200, y, lodOf(each).toExponential(2).toUpperCase()),
          at(255, y, digits(loqOf(each))),
        ],
        ...[at(310, y, cell(each, 10)), at(370, y, cell(each))],
      ]),
      ...[
        at(40, 227, 'Total Active THC'),
        at(310, 227, '219.71'),
        at(370, 227, '21.971'),
        at(440, 188, 'Total Active THC'),
        at(520, 188, '21.971%'),
      ],
      at(40, 270, 'Terpenes Summary'),
      ...[at(40, 286, 'Analyte'), at(255, 286, 'LOQ (%)'), at(310, 286, 'Result (mg/g)'), at(370, 286, '(%)')],
      ...rows(terpenes, 302, (each, y) => [
        ...[
          at(
            40,
            y,
            each
              .replace('β-Myrcene', 'beta-Myrcene')
              .replace('β-Caryophyllene', 'trans-Caryophyllene')
              .replace('Limonene', '(R)-(+)-Limonene'),
          ),
        ],
        ...[
          at(255, y, digits(loqOf(each))),
          at(310, y, cell(each, 10)),
          at(370, y, typeof statedResults[each] === 'number' ? `${cell(each)}%` : cell(each)),
        ],
      ]),
    ],
  ])

/** Cannabinoids and terpenes side by side, units below the header (as on certificates from Digipath and NV Cann Labs in Nevada). */
const sideBySide = (name: string) =>
  pdfOf([
    [
      ...[
        at(306, 40, 'Silver State Analytics', { size: 14, align: 'center' }),
        at(40, 70, 'Sample:'),
        at(90, 70, name),
        at(40, 84, 'Batch #: 1026-PH'),
        at(400, 70, 'Report Date: 11/09/2026'),
        at(400, 84, 'Test Date: 11/06/2026'),
      ],
      ...[at(40, 120, 'Cannabinoid Test Results', { size: 10 }), at(310, 120, 'Terpene Test Results', { size: 10 })],
      ...[
        at(40, 140, 'Analyte'),
        at(120, 140, 'LOQ'),
        at(180, 140, 'Mass'),
        at(235, 140, 'Mass'),
        at(310, 140, 'Analyte'),
        at(400, 140, 'CAS No.'),
        at(460, 140, 'LOQ'),
        at(505, 140, 'Mass'),
        at(550, 140, 'Mass'),
      ],
      ...[at(120, 150, 'mg/g'), at(180, 150, '%'), at(235, 150, 'mg/g'), at(460, 150, '%'), at(505, 150, '%'), at(550, 150, 'mg/g')],
      ...rows(cannabinoids, 166, (each, y) => [
        ...[at(40, y, each), at(120, y, digits(loqOf(each) * 10)), at(180, y, cell(each)), at(235, y, cell(each, 10))],
      ]),
      ...rows(terpenes, 166, (each, y) => [
        ...[at(310, y, each), at(400, y, '123-35-3'), at(460, y, digits(loqOf(each))), at(505, y, cell(each)), at(550, y, cell(each, 10))],
      ]),
      ...[at(40, 231, 'Total THC'), at(180, 231, '21.97'), at(235, 231, '219.7')],
      ...pesticides(280),
    ],
  ])

/** Analytes as columns, measures as rows (as on certificates from Kaycha Labs); terpenes as a list in two halves side by side. */
const transposed = (name: string) => {
  const x = (nth: number) => 130 + nth * 70
  return pdfOf([
    [
      ...[
        at(420, 40, 'Palmetto Labs', { size: 14 }),
        at(40, 70, `Sample: ${name}`),
        at(40, 84, 'Batch#: GRW0078'),
        at(300, 84, 'Ordered : 10/30/26'),
        at(420, 84, 'Completed: 11/06/26 Expires: 11/06/27'),
      ],
      ...[at(40, 120, 'Cannabinoid', { size: 10 }), at(40, 150, 'Total THC'), at(40, 164, '21.971%', { size: 12 })],
      ...cannabinoids.map((each, nth) => at(x(nth), 200, each.replace('Δ9', 'D9'), { align: 'center' })),
      ...[at(60, 214, '%'), ...cannabinoids.map((each, nth) => at(x(nth), 214, cell(each), { align: 'center' }))],
      ...[at(60, 228, 'mg/unit'), ...cannabinoids.map((each, nth) => at(x(nth), 228, cell(each, 35), { align: 'center' }))],
      ...[at(60, 242, 'LOD'), ...cannabinoids.map((each, nth) => at(x(nth), 242, digits(lodOf(each)), { align: 'center' }))],
      ...[at(60, 254, 'LOQ'), ...cannabinoids.map((each, nth) => at(x(nth), 254, digits(loqOf(each)), { align: 'center' }))],
      ...cannabinoids.map((_, nth) => at(x(nth), 266, '%', { align: 'center' })),
      ...[
        at(40, 300, 'Terpenes'),
        at(170, 300, 'LOQ (%)'),
        at(230, 300, 'mg/g'),
        at(280, 300, 'Result (%)'),
        at(340, 300, 'Terpenes'),
        at(450, 300, 'LOQ (%)'),
        at(500, 300, 'mg/g'),
        at(540, 300, 'Result (%)'),
      ],
      ...rows(terpenes.slice(0, 2), 314, (each, y) => [
        at(40, y, each),
        at(170, y, digits(loqOf(each))),
        at(230, y, cell(each, 10)),
        at(280, y, cell(each)),
      ]),
      ...rows(terpenes.slice(2), 314, (each, y) => [
        at(340, y, each),
        at(450, y, digits(loqOf(each))),
        at(500, y, cell(each, 10)),
        at(540, y, cell(each)),
      ]),
    ],
  ])
}

/** A unit in every row (as on certificates from Green Leaf Lab in Oregon), the terpenes in ug/g on a separate page. */
const unitInRow = (name: string) =>
  pdfOf([
    [
      ...[
        at(40, 40, 'Laboratory:'),
        at(110, 40, 'Cascade Lab'),
        at(40, 70, 'Client Sample ID:'),
        at(130, 70, name),
        at(300, 70, 'Analysis Date:'),
        at(380, 70, '2026-11-06'),
      ],
      ...[
        at(40, 120, 'Parameter'),
        at(180, 120, 'Result', { align: 'right' }),
        at(220, 120, 'Units'),
        at(300, 120, 'LOQ', { align: 'right' }),
        at(340, 120, 'Notes'),
      ],
      ...rows(cannabinoids, 136, (each, y) => [
        ...[
          at(40, y, each),
          at(180, y, statedResults[each] === null ? '< LOD' : cell(each), { align: 'right' }),
          at(220, y, '% w/w'),
          at(300, y, digits(loqOf(each)), { align: 'right' }),
        ],
      ]),
    ],
    [
      ...[
        at(40, 70, 'Client Sample ID:'),
        at(130, 70, name),
        at(40, 120, 'Parameter'),
        at(180, 120, 'Result', { align: 'right' }),
        at(220, 120, 'Units'),
        at(300, 120, 'LOQ', { align: 'right' }),
      ],
      ...rows(terpenes, 136, (each, y) => [
        ...[
          at(40, y, each),
          at(180, y, cell(each, 10_000).replace('<LOQ', `< ${digits(loqOf(each) * 10_000)}`), { align: 'right' }),
          at(220, y, 'ug/g'),
          at(300, y, digits(loqOf(each) * 10_000), { align: 'right' }),
        ],
      ]),
    ],
  ])

export const certificateLayouts: Record<string, (name: string) => Promise<Buffer>> = {
  'limits in one column and the uncertainty': combinedLimits,
  'units below the header and a summary beside it': summaryBeside,
  'tables side by side': sideBySide,
  'analytes as columns': transposed,
  'a unit in every row': unitInRow,
}

/** A page without text, like a scan: only a rectangle. */
export async function pictureOnly(): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.addPage([612, 792]).drawRectangle({ x: 40, y: 40, width: 200, height: 300 })
  return Buffer.from(await document.save())
}

export { at, pdfOf }

/** An 800 KB PDF with a page that inflates to 768 MB. */
export function inflatingPdf(): Buffer {
  const stream = deflateSync(Buffer.alloc(2 ** 26))
  const streams = Array.from({ length: 12 }, (_, i) => i + 4)
  const parts = [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n',
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[${streams.map((i) => `${i} 0 R`).join(' ')}]>>endobj\n`,
    ...streams.flatMap((i) => [`${i} 0 obj<</Filter/FlateDecode/Length ${stream.length}>>stream\n`, stream, '\nendstream endobj\n']),
    'trailer<</Root 1 0 R/Size 16>>\nstartxref\n0\n%%EOF',
  ]
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}
