import { type AnalyteGroup, knownAnalyte, percentOf, totalOf } from '#agronomy/analytes.ts'
import type { Certificate, CertificateResult, CertificateSample } from '#contracts/certificates.endpoints.ts'
import type { CertificatePage, Line } from './certificate-lines.ts'
import { dateIn, type LabFigure, readFigure, unitIn } from './lab-figures.ts'
import { noTables, readTables, type Stated, type StatedSample, type TableRow } from './read-tables.ts'

const maxSamples = 200
const maxRejected = 100

type Facts = Omit<StatedSample, 'tested'> & { testedOn: string | null }
type Sample = Facts & { rows: TableRow[] }

/** Pages without a sample's name or code belong to the previous sample. */
export function certificateOf(kind: Certificate['kind'], pages: readonly CertificatePage[]): Certificate {
  const samples: Sample[] = []
  let tables = noTables
  for (const { lines } of pages) {
    tables = readTables(lines, kind === 'csv', tables)
    const facts = factsOf(lines)
    const rows = [...tables.rows, ...tables.loose.flatMap(summaryRows)]
    addRows(samples, facts, rows)
  }
  const read = samples.map(toSample)
  return {
    kind,
    lab: labOf(pages),
    samples: read
      .filter(({ results, rejected }) => results.length + rejected.length > 0)
      .slice(0, maxSamples)
      .map(({ otherRows: _, ...sample }) => sample),
    otherRows: read.reduce((sum, { otherRows }) => sum + otherRows, 0),
  }
}

/** Samples that share an order, batch or lot differ in their codes or names. */
function isSameSample(one: Facts, other: Facts): boolean {
  const isShared = (kind: 'codes' | 'batches') => one[kind].some((code) => other[kind].includes(code))
  const areStated = (kind: 'codes' | 'batches') => one[kind].length > 0 && other[kind].length > 0
  if (areStated('codes')) return isShared('codes')
  if (areStated('batches') && !isShared('batches')) return false
  return one.name === other.name || (isShared('batches') && (one.name === '' || other.name === ''))
}

function addRows(samples: Sample[], facts: Facts, rows: readonly TableRow[]): void {
  const sampleOf = (wanted: Facts): Sample => {
    const found = samples.findLast((each) => isSameSample(each, wanted))
    if (found) {
      for (const kind of ['codes', 'batches'] as const) found[kind].push(...wanted[kind].filter((code) => !found[kind].includes(code)))
      found.testedOn ??= wanted.testedOn
      if (found.name === '') found.name = wanted.name
      return found
    }
    const added = { ...wanted, codes: [...wanted.codes], batches: [...wanted.batches], rows: [] }
    samples.push(added)
    return added
  }
  const isNamed = ({ name, codes, batches }: Omit<StatedSample, 'tested'>) => name !== '' || codes.length > 0 || batches.length > 0
  const ofPage = !isNamed(facts) && samples.length > 0 ? (samples.at(-1) as Sample) : sampleOf(facts)
  ofPage.testedOn ??= facts.testedOn
  for (const row of rows) {
    const { sample } = row
    const own = sample && isNamed(sample) ? sampleOf({ ...sample, testedOn: dateIn(sample.tested) ?? facts.testedOn }) : ofPage
    own.rows.push(row)
  }
}

/** Results outside tables, with their unit, such as "Total THC: 24.3%", or "THCA", "24.3" and "%" next to each other. */
function summaryRows(line: Line): TableRow[] {
  return line.flatMap(({ text }, at): TableRow[] => {
    const [beside, next] = [line[at + 1]?.text ?? '', line[at + 2]?.text ?? '']
    const row = (printed: string, value: string, unit: string | null) =>
      unit !== null && knownAnalyte(printed) && readFigure(value).kind === 'number'
        ? [{ printed, results: [{ text: value, unit }], lod: null, loq: null, table: null, sample: null }]
        : []
    const name = text.replace(/\s*[:=]$/, '')
    const own = /^(.*?)\s*[:=]?\s+((?:<\s*)?[\d.,]+\s*%)$/.exec(text)
    const nextUnit = unitIn(next) === next.toLowerCase() ? unitIn(next) : null
    return [...(own ? row(own[1] as string, own[2] as string, '%') : []), ...row(name, beside, unitIn(beside) ?? nextUnit)]
  })
}

function toSample(sample: Sample): CertificateSample & { otherRows: number } {
  const results: CertificateResult[] = []
  const rejected: CertificateSample['rejected'] = []
  const perTable = Map.groupBy(sample.rows, ({ table }) => table)
  const isOurs = (table: number | null) => {
    const rows = perTable.get(table) ?? []
    return rows.filter(({ printed }) => knownAnalyte(printed)).length * 2 >= rows.length
  }
  // Unknown analytes in units smaller than mg/g, such as ppm, count as contaminants.
  const isShare = ({ results }: TableRow) => results.some(({ unit }) => unit !== null && (percentOf(unit) ?? 0) >= 0.1)
  const used = sample.rows.filter((row) => knownAnalyte(row.printed) !== null || (isOurs(row.table) && isShare(row)))
  const last = Number.MAX_SAFE_INTEGER
  // Goes table by table, even if tables are side by side. A summary comes last, because its figures may be rounded.
  for (const row of used.toSorted((a, b) => (a.table ?? last) - (b.table ?? last))) {
    const read = resultOf(row)
    if (read === null) continue
    const said = row.results.map(({ text, unit }) => (unit === null || unitIn(text) ? text : `${text} ${unit}`)).join(', ')
    const reject = (reason: string) => rejected.push({ text: `${row.printed}: ${said}`.slice(0, 120), reason })
    if ('reason' in read) {
      // A row outside a table isn't rejected, because its line may state the share of the weight elsewhere.
      if (row.table !== null) reject(read.reason)
      continue
    }
    const before = results.find(({ analyte }) => analyte === read.analyte)
    if (!before) results.push(read)
    else if (row.table !== null && !isClose(before.value ?? 0, read.value ?? 0)) {
      reject(`The certificate lists ${read.analyte} twice. We used the first: ${wordsOf(before)}`)
    }
  }
  const { name, testedOn } = sample
  const codes = [...sample.codes, ...sample.batches].slice(0, 5)
  return {
    ...{ name: name.slice(0, 120), codes: codes.map((code) => code.slice(0, 120)), testedOn },
    results: withTotals(results.filter(({ analyte }) => analyte.length <= 60)),
    rejected: rejected.slice(0, maxRejected),
    otherRows: sample.rows.length - used.length,
  }
}

const wordsOf = ({ value, quantificationLimit }: Pick<CertificateResult, 'value' | 'quantificationLimit'>): string =>
  value === null ? `below ${quantificationLimit}%` : `${value}%`

/** Whether two figures of one result agree, given that each may be rounded to a tenth. */
const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 0.06 + Math.max(one, other) * 0.02

const rounded = (percent: number): number => Number(percent.toFixed(6))

type Candidate = { figure: LabFigure; factor: number; stated: Stated }

/** The result of a row, why it can't be used, or null if the lab didn't test it. */
function resultOf(row: TableRow): CertificateResult | { reason: string } | null {
  const analyte = knownAnalyte(row.printed)
  const read = row.results.map((stated) => ({
    stated,
    figure: readFigure(stated.text),
    factor: stated.unit === null ? null : percentOf(stated.unit),
  }))
  if (read.every(({ figure }) => figure.kind === 'untested')) return null
  const shares = read.filter((each): each is Candidate => each.factor !== null)
  const usable = shares
    .filter(({ figure }) => figure.kind !== 'unreadable' && figure.kind !== 'untested')
    .toSorted((a, b) => b.factor - a.factor)
  const [best] = usable
  if (!best) {
    if (read.some(({ figure }) => figure.kind === 'unreadable')) return { reason: 'We can’t read this as a number' }
    const unit = read.find(({ stated }) => stated.unit !== null)?.stated.unit
    return { reason: unit ? `${unit} isn’t a share of the weight, such as % or mg/g` : 'It has no unit' }
  }
  const about = {
    analyte: analyte?.name ?? row.printed,
    printed: row.printed.replaceAll('∆', 'Δ'),
    group: groupOf(analyte?.group),
    unit: '%' as const,
    isComputed: false,
  }
  const { figure, factor, stated } = best
  if (figure.kind === 'number') {
    const value = rounded(figure.value * factor)
    if (value < 0 || value > 100) return { reason: `${value < 0 ? 'Less than 0' : 'More than 100'}% isn’t possible` }
    const other = usable.find((each) => each.figure.kind === 'number' && !isClose(value, each.figure.value * each.factor))
    if (other) return { reason: `${stated.text} ${stated.unit} and ${other.stated.text} ${other.stated.unit} contradict each other` }
    const note = factor === 1 ? '' : `Converted from ${stated.text.replace(/\s*[a-zµμ%][a-zµμ/ ]*$/i, '')} ${stated.unit}`
    return { ...about, value, quantificationLimit: null, note }
  }
  const isDetection = figure.kind === 'undetected' || (figure.kind === 'below' && figure.isDetection)
  const own = figure.kind === 'below' && figure.limit !== null ? rounded(figure.limit * factor) : null
  const [lod, loq] = [limitOf(row.lod, stated), limitOf(row.loq, stated)]
  const limit = own ?? (isDetection ? (lod ?? loq) : (loq ?? lod))
  if (limit !== null && limit > 0) return { ...about, value: null, quantificationLimit: limit, note: '' }
  if (figure.kind === 'undetected') {
    return { ...about, value: 0, quantificationLimit: null, note: 'Not detected, with no limit stated, so it counts as 0' }
  }
  return { reason: 'It’s below a limit that the certificate doesn’t state' }
}

const groupOf = (group: AnalyteGroup | undefined): CertificateResult['group'] => group ?? 'other'

/** In percent. A limit without a unit has the unit of its result. */
function limitOf(limit: Stated | null, result: Stated): number | null {
  if (!limit) return null
  const figure = readFigure(limit.text)
  const factor = percentOf(limit.unit ?? result.unit ?? '')
  return figure.kind === 'number' && factor !== null ? rounded(figure.value * factor) : null
}

const totals = [
  { total: 'Total THC', neutral: 'Δ9-THC', acid: 'THCA' },
  { total: 'Total CBD', neutral: 'CBD (neutral)', acid: 'CBDA' },
]

/** Adds the totals that the lab doesn't state, and checks those that it does. Like labs, counts a result below its limit as 0. */
function withTotals(results: readonly CertificateResult[]): CertificateResult[] {
  const shareOf = (analyte: string) => results.find((each) => each.analyte === analyte)?.value ?? 0
  const terpenes = results.filter(({ group }) => group === 'terpene')
  const computed = [
    ...totals
      .filter(({ neutral, acid }) => [neutral, acid].every((analyte) => results.some((each) => each.analyte === analyte)))
      .map(({ total, neutral, acid }) => ({
        analyte: total,
        value: totalOf(shareOf(neutral), shareOf(acid)),
        formula: `${neutral} + 0.877 × ${acid}`,
      })),
    ...(terpenes.length > 1
      ? [
          {
            analyte: 'Total terpenes',
            value: terpenes.reduce((sum, { value }) => sum + (value ?? 0), 0),
            formula: 'the sum of the terpenes',
          },
        ]
      : []),
  ]
  const stated = results.map((result) => {
    const own = computed.find(({ analyte }) => analyte === result.analyte)
    if (!own || result.value === null || isClose(own.value, result.value)) return result
    return { ...result, note: `The lab’s total; ${own.formula} is ${Number(own.value.toFixed(3))}%` }
  })
  const missing = computed.filter(({ analyte, value }) => value > 0 && value <= 100 && !results.some((each) => each.analyte === analyte))
  return [
    ...stated,
    ...missing.map(({ analyte, value, formula }) => ({
      ...{ analyte, printed: analyte, group: 'total' as const, unit: '%' as const, quantificationLimit: null },
      value: Number(value.toFixed(4)),
      isComputed: true,
      note: `Computed as ${formula}`,
    })),
  ]
}

const nameLabel =
  /^(?:sample name|sample description|client sample (?:id|name)|product name|strain(?: name)?|cultivar|sample)\s*(?::|#|$)\s*(.*)$/i
const codeLabel =
  /^(?:sample (?:id|#|no\.?|number)|lab (?:sample )?id|laboratory id|metrc (?:id|sample|label|tag)[a-z ]*|package id)\s*[:#]*\s*(.*)$/i
const batchLabel =
  /^(?:order (?:#|id|number)|batch\s*(?:#|id|no\.?|number)?|lot\s*(?:#|id|number)?|harvest\/lot id|metrc (?:batch|source)[a-z ]*|source package)\s*[:#]*\s*(.*)$/i
/** Best first. */
const dateLabels = [
  /\b(?:test(?:ed|ing)?|analy(?:sis|zed|ses))\b/i,
  /\bcompleted?\b/i,
  /\b(?:report(?:ed)?|issued?)\b/i,
  /\breceived\b/i,
  /\b(?:collected|sampled)\b/i,
]

function factsOf(lines: readonly Line[]): Facts {
  const facts: Facts = { name: '', codes: [], batches: [], testedOn: null }
  let bestDate = dateLabels.length
  for (const line of lines) {
    for (const [at, { text }] of line.entries()) {
      const beside = line[at + 1]?.text ?? ''
      const said = (label: RegExp): string | null => {
        const value = label.exec(text)?.[1]?.trim()
        return value === '' ? (beside.endsWith(':') ? null : beside || null) : (value ?? null)
      }
      const [code, batch] = [said(codeLabel), said(batchLabel)]
      if (code !== null && /\d/.test(code) && !facts.codes.includes(code)) facts.codes.push(code)
      if (batch !== null && /\d/.test(batch) && !facts.batches.includes(batch)) facts.batches.push(batch)
      const name = code === null && batch === null ? said(nameLabel) : null
      if (name !== null && facts.name === '') facts.name = name
      if (!/[:]|date|tested|completed|reported|issued|received|collected|sampled/i.test(text)) continue
      const date = dateIn(text) ?? (text.length < 40 ? dateIn(beside) : null)
      const rank = dateLabels.findIndex((label) => label.test(text))
      if (date !== null && rank !== -1 && rank < bestDate) {
        facts.testedOn = date
        bestDate = rank
      }
    }
  }
  return facts
}

function labOf(pages: readonly CertificatePage[]): string {
  const cells = pages.flatMap(({ lines }) =>
    // A line of more than two cells is the header of a table, unless the label ends with a colon.
    lines.flatMap((line) =>
      line.map(({ text }, at) => ({ text, beside: line.length === 2 || text.endsWith(':') ? (line[at + 1]?.text ?? '') : '' })),
    ),
  )
  for (const { text, beside } of cells) {
    const named = /^(?:testing )?lab(?:oratory)?(?: name)?\s*(?::\s*(.*)|$)/i.exec(text)
    if (named && (named[1] || beside)) return (named[1] || beside).slice(0, 120)
  }
  const found = cells.find(
    ({ text }) =>
      /\b(?:labs?|laborator(?:y|ies)|analytics|analytical)\b/i.test(text) &&
      text.split(/\s+/).length <= 6 &&
      !/^(?:testing )?lab(?:oratory)?(?: name)?$|[:@]|\b(?:id|director|manager|results?|sample|report|number|certificate|accredit\w+|license)\b/i.test(
        text,
      ),
  )
  return (found?.text ?? '').replace(/,?\s*(?:inc|llc|corp)\.?$/i, '').slice(0, 120)
}
