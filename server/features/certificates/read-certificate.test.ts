import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, it } from 'vitest'
import type { CertificateResult, CertificateSample } from '#contracts/certificates.endpoints.ts'
import { at, certificateLayouts, pdfOf, pictureOnly } from '#tests/support/certificate-files.ts'
import { readCsvPage } from './certificate-lines.ts'
import { readPdfPages } from './pdf-pages.ts'
import { certificateOf } from './read-certificate.ts'

const readPdf = async (bytes: Buffer) => certificateOf('pdf', await readPdfPages(bytes))
const readCsv = (text: string) => certificateOf('csv', [readCsvPage(Buffer.from(text))])

const below = (limit: number) => ({ below: limit })
const figures = (results: readonly CertificateResult[]) =>
  Object.fromEntries(results.map(({ analyte, value, quantificationLimit }) => [analyte, value ?? below(quantificationLimit ?? 0)]))
const figuresOf = ({ samples }: { samples: readonly CertificateSample[] }) => samples.map(({ name, results }) => [name, figures(results)])

const measured = {
  THCA: 24.127,
  'Δ9-THC': 0.812,
  CBDA: below(0.014),
  CBGA: 0.731,
  'β-Myrcene': 0.612,
  Limonene: 0.405,
  'β-Caryophyllene': 0.358,
  Linalool: below(0.009),
  'Total terpenes': 1.375,
}

describe('a PDF certificate', () => {
  it.each(Object.entries(certificateLayouts))('is read with the layout %s', async (_, make) => {
    const certificate = await readPdf(await make('Sunrise Haze #7'))
    expect(certificate.lab).toMatch(/Labs?|Laboratory|Analytics$/)
    expect(certificate.samples).toHaveLength(1)
    const [sample] = certificate.samples as [CertificateSample]
    expect(sample).toMatchObject({ name: 'Sunrise Haze #7', testedOn: '2026-11-06', rejected: [] })
    const { 'CBD (neutral)': CBD, 'Total THC': total, ...others } = figures(sample.results)
    expect(others).toEqual(measured)
    // If the lab states a limit of detection, the value is below that limit.
    expect([below(0.005), below(0.016)]).toContainEqual(CBD)
    expect(total).toBeCloseTo(0.812 + 0.877 * 24.127, 1)
  })

  it('is read if its results aren’t in a table', async () => {
    const texts = [at(40, 40, 'Commonwealth Labs'), at(40, 60, 'Sample: #3'), at(40, 80, 'THCa'), at(120, 80, '24.50'), at(160, 80, '%')]
    const certificate = await readPdf(await pdfOf([[...texts, at(40, 95, 'THC'), at(120, 95, '0.44 %'), at(40, 110, 'Total CBD: 0.12%')]]))
    expect(figuresOf(certificate)).toEqual([['#3', { THCA: 24.5, 'Δ9-THC': 0.44, 'Total CBD': 0.12, 'Total THC': 21.9265 }]])
  })

  it('is read with several samples and a table that continues on the next page', async () => {
    const header = (y: number) => [at(40, y, 'Analyte'), at(200, y, 'LOQ (%)'), at(300, y, 'Result (%)')]
    const row = (y: number, name: string, value: string) => [at(40, y, name), at(200, y, '0.01'), at(300, y, value)]
    const certificate = await readPdf(
      await pdfOf([
        [at(40, 40, 'Sample Name: #1'), ...header(60), ...row(75, 'THCA', '20.1'), ...row(90, 'D9-THC', '0.5')],
        [at(40, 40, 'Sample Name: #1'), ...row(60, 'CBDA', '<LOQ'), ...row(75, 'Page 2 of 3', '2')],
        [at(40, 40, 'Sample Name: #2'), ...header(60), ...row(75, 'THCA', '18.2')],
      ]),
    )
    expect(figuresOf(certificate)).toEqual([
      ['#1', { THCA: 20.1, 'Δ9-THC': 0.5, CBDA: below(0.01), 'Total THC': 18.1277 }],
      ['#2', { THCA: 18.2 }],
    ])
  })

  it('is read with several samples of one order, whose pages may state only the order', async () => {
    const header = [at(40, 60, 'Analyte'), at(200, 60, 'LOQ (%)'), at(300, 60, 'Result (%)')]
    const row = (y: number, name: string, value: string) => [at(40, y, name), at(200, y, '0.01'), at(300, y, value)]
    const page = (facts: string[], ...rows: (readonly [string, string])[]) => [
      ...facts.map((fact, nth) => at(40 + nth * 150, 40, fact)),
      ...header,
      ...rows.flatMap(([name, value], nth) => row(75 + nth * 15, name, value)),
    ]
    const certificate = await readPdf(
      await pdfOf([
        page(['Order #: 2611-005', 'Sample: Haze #1'], ['THCA', '20.1']),
        page(['Order #: 2611-005'], ['CBGA', '0.4']),
        page(['Order #: 2611-005', 'Sample: Haze #2'], ['THCA', '18.2']),
        page(['Order #: 2611-005'], ['CBGA', '0.7']),
      ]),
    )
    expect(figuresOf(certificate)).toEqual([
      ['Haze #1', { THCA: 20.1, CBGA: 0.4 }],
      ['Haze #2', { THCA: 18.2, CBGA: 0.7 }],
    ])
  })

  it('is read without figures that contradict each other, are impossible, or aren’t a share of the weight', async () => {
    const row = (y: number, name: string, percent: string, perGram: string) => [at(40, y, name), at(200, y, percent), at(300, y, perGram)]
    const certificate = await readPdf(
      await pdfOf([
        [
          ...row(60, 'Analyte', 'Result (%)', 'Result (mg/g)'),
          ...row(75, 'THCA', '24.1', '210'),
          ...row(90, 'CBGA', '130', '1300'),
          ...row(105, 'CBN', 'l.2', '-'),
          ...row(120, 'CBC', '0.2', '2.0'),
          ...row(135, 'CBC', '0.9', '9.0'),
          ...[at(40, 170, 'Analyte'), at(200, 170, 'Result (mg/serving)'), at(40, 185, 'CBDV'), at(200, 185, '4')],
        ],
      ]),
    )
    expect(figuresOf(certificate)).toEqual([['', { CBC: 0.2 }]])
    expect(certificate.samples[0]?.rejected).toEqual([
      { text: 'THCA: 24.1 %, 210 mg/g', reason: '24.1 % and 210 mg/g contradict each other' },
      { text: 'CBGA: 130 %, 1300 mg/g', reason: 'More than 100% isn’t possible' },
      { text: 'CBN: l.2 %, - mg/g', reason: 'We can’t read this as a number' },
      { text: 'CBC: 0.9 %, 9.0 mg/g', reason: 'The certificate lists CBC twice. We used the first: 0.2%' },
      { text: 'CBDV: 4 mg/serving', reason: 'mg/serving isn’t a share of the weight, such as % or mg/g' },
    ])
  })
})

describe('a CSV certificate', () => {
  const expected = [
    ['#7', { THCA: 24.1, 'Δ9-THC': 0.8, 'CBD (neutral)': below(0.01), 'Total THC': 21.9357 }],
    ['#11-2', { THCA: 19.4, 'Δ9-THC': 0.6, 'CBD (neutral)': 0.1, 'Total THC': 17.6138 }],
  ]

  it('is read with a row for each result', () => {
    const certificate = readCsv(
      `Sample,Test Date,Analyte,Result,Units,LOQ
#7,11/06/2026,THCA,241,mg/g,0.1
#7,11/06/2026,d9-THC,8,mg/g,0.1
#7,11/06/2026,CBD,<LOQ,mg/g,0.1
#11-2,11/07/2026,THCA,194,mg/g,0.1
#11-2,11/07/2026,d9-THC,6,mg/g,0.1
#11-2,11/07/2026,CBD,1,mg/g,0.1
#11-2,11/07/2026,Abamectin,ND,ppb,20
`,
    )
    expect(figuresOf(certificate)).toEqual(expected)
    expect(certificate.samples.map(({ testedOn }) => testedOn)).toEqual(['2026-11-06', '2026-11-07'])
  })

  it('is read with a row for each sample', () => {
    const certificate = readCsv(
      'Sample Name;Date Tested;THCA (%);Δ9-THC (%);CBD (%)\n#7;2026-11-06;24,1;0,8;<0,01\n#11-2;2026-11-06;19,4;0,6;0,1\n',
    )
    expect(figuresOf(certificate)).toEqual(expected)
  })

  it.each([
    [
      'Sample Name,Sample Type,Batch,Sample ID,THCA (%),CBD (%)\nHaze,Flower,B-12,1001,24.1,0.1\nHaze,Flower,B-12,1002,19.4,0.2\n',
      'Haze',
      'Haze',
    ],
    ['Lab Name,Batch,Sample,THCA (%),CBD (%)\nCascade Lab,1001,#7,24.1,0.1\nCascade Lab,1001,#8,19.4,0.2\n', '#7', '#8'],
    [
      `Sample,Sample Type,Sample Weight,Analyte,Result (%)
#7,Flower,2.0,THCA,24.1
#8,Flower,2.0,THCA,19.4
#7,Flower,2.0,CBD,0.1
#8,Flower,2.0,CBD,0.2
`,
      '#7',
      '#8',
    ],
  ])('is read with samples of the same type, lab and batch: %j', (csv, first, second) => {
    expect(figuresOf(readCsv(csv))).toEqual([
      [first, { THCA: 24.1, 'CBD (neutral)': 0.1 }],
      [second, { THCA: 19.4, 'CBD (neutral)': 0.2 }],
    ])
  })

  it('is read with the units in a row of their own', () => {
    const certificate = readCsv('Sample,THCA,d9-THC,CBD\n,mg/g,%,%\n#7,241,0.8,<0.01\n#11-2,194,0.6,0.1\n')
    expect(figuresOf(certificate)).toEqual(expected)
  })

  it('is read with columns for the lab and the test', () => {
    const certificate = readCsv(
      `Lab,Client,Sample,Test Name,Analyte,Result,Unit
Cascade Labs,Ann,#7,Cannabinoids,THCA,24.1,%
Cascade Labs,Ann,#7,Terpenes,Myrcene,0.6,%
Cascade Labs,Ann,#8,Cannabinoids,THCA,19.4,%
`,
    )
    expect(certificate.lab).toBe('Cascade Labs')
    expect(figuresOf(certificate)).toEqual([
      ['#7', { THCA: 24.1, 'β-Myrcene': 0.6 }],
      ['#8', { THCA: 19.4 }],
    ])
  })

  it('is read if it is laid out like a printed certificate', () => {
    const certificate = readCsv(
      `Laboratory,Cascade Lab
Sample Name,#7
Sample ID,26-1107
Date Received,11/03/2026
Date Tested,11/06/2026

Cannabinoid,LOD (%),LOQ (%),Result (%),Result (mg/g)
THCA,0.005,0.01,24.1,241
"THC, total",,,21.94,219.4
d9-THC,0.005,0.01,0.8,8
CBD,0.005,0.01,<LOQ,<LOQ
`,
    )
    expect(certificate.lab).toBe('Cascade Lab')
    expect(certificate.samples).toMatchObject([{ name: '#7', codes: ['26-1107'], testedOn: '2026-11-06' }])
    expect(figuresOf(certificate)).toEqual([['#7', { THCA: 24.1, 'Total THC': 21.94, 'Δ9-THC': 0.8, 'CBD (neutral)': below(0.01) }]])
  })

  it('is read with a column for each sample', () => {
    const certificate = readCsv('Analyte,Unit,#7,#11-2\nTHCA,%,24.1,19.4\nd9-THC,%,0.8,0.6\nCBD,%,<0.01,0.1\n')
    expect(figuresOf(certificate)).toEqual(expected)
  })

  it('is read with a column for each sample, named by its number, and the unit after the analyte', () => {
    const certificate = readCsv('Analyte,7,8\nTHCA (%),24.1,19.4\n"d9-THC (mg/g)",8,6\n')
    expect(figuresOf(certificate)).toEqual([
      ['7', { THCA: 24.1, 'Δ9-THC': 0.8, 'Total THC': 21.9357 }],
      ['8', { THCA: 19.4, 'Δ9-THC': 0.6, 'Total THC': 17.6138 }],
    ])
  })
})

it('compares the lab’s total with the formula', () => {
  const [sample] = readCsv('Analyte,Result (%)\nTHCA,20\nTHC,1\nTotal THC,21\nCBDA,1\nCBD,0.1\nTotal CBD,0.98\n').samples
  expect(sample?.results.filter(({ group }) => group === 'total')).toMatchObject([
    { analyte: 'Total THC', value: 21, isComputed: false, note: 'The lab’s total; Δ9-THC + 0.877 × THCA is 18.54%' },
    { analyte: 'Total CBD', value: 0.98, isComputed: false, note: '' },
  ])
})

it('counts a result that wasn’t detected as 0 if no limit is stated', () => {
  const [sample] = readCsv('Analyte,Result (%)\nTHCA,20\nCBD,ND\nCBN,<LOQ\n').samples
  expect(figures(sample?.results ?? [])).toEqual({ THCA: 20, 'CBD (neutral)': 0 })
  expect(sample?.rejected).toEqual([{ text: 'CBN: <LOQ %', reason: 'It’s below a limit that the certificate doesn’t state' }])
})

it('keeps unknown terpenes, and counts rows of other tests', () => {
  const certificate = readCsv(
    'Analyte,Result (%)\nMyrcene,0.6\nLimonene,0.4\nBergamotene,0.1\n\nAnalyte,Result (ug/g)\nAbamectin,ND\nLead,0.2\n',
  )
  expect(certificate.samples[0]?.results.map(({ analyte }) => analyte)).toEqual(['β-Myrcene', 'Limonene', 'Bergamotene', 'Total terpenes'])
  expect(certificate.otherRows).toBe(2)
})

describe('an unreadable certificate', () => {
  it('is refused if it is a scan', async () => {
    await expect(readPdfPages(await pictureOnly())).rejects.toThrow(/a picture without text/)
  })

  it('is refused if it is damaged', async () => {
    await expect(readPdfPages(Buffer.from('%PDF-1.7\nnothing'))).rejects.toThrow(/damaged/)
  })

  it('is refused if it lacks one of its pages', async () => {
    const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>'
    const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>', page, null, page]
    const written = objects.flatMap((object, i) => (object === null ? [] : `${i + 1} 0 obj${object}endobj`))
    const file = ['%PDF-1.4', ...written, 'trailer<</Root 1 0 R/Size 6>>', 'startxref', '0', '%%EOF'].join('\n')
    await expect(readPdfPages(Buffer.from(file))).rejects.toThrow(/damaged/)
  })

  it('is refused if it has a password', async () => {
    const document = await PDFDocument.create()
    document.addPage().drawText('THCA 24.1 %')
    document.encrypt({ userPassword: 'secret' })
    await expect(readPdfPages(Buffer.from(await document.save()))).rejects.toThrow(/protected by a password/)
  })

  it('is refused if it has more than 60 pages', async () => {
    await expect(readPdfPages(await pdfOf(Array.from({ length: 61 }, () => [at(40, 40, 'x')])))).rejects.toThrow(/at most 60 pages/)
  })

  it('is refused if it is neither a PDF nor text', () => {
    expect(() => readCsvPage(Buffer.from('PK\u0003\u0004\0\0'))).toThrow(/neither a PDF nor a CSV/)
  })

  it('is refused if it is empty', () => {
    expect(() => readCsvPage(Buffer.from('\n\n'))).toThrow(/empty/)
  })
})
