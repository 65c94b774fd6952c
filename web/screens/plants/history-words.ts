import type { HistoryEntry } from '#contracts/plant-history.endpoints.ts'
import { dayWords } from '#web/entities/hunts/hunt-words.ts'
import { endWords, sexWords, stageWords, standingWords } from '#web/entities/plants/plant-words.ts'
import { type Measure, shown, type Units, unitName } from '#web/lib/units.ts'

export type HistoryLine = {
  title: string
  facts: string[]
  text: string
  /** The text before a correction. */
  before: string | null
}

const fieldNames = { startedOn: 'Started', cutOn: 'Cut', rootedOn: 'Rooted', isMother: 'Mother' } as const

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const said = (text: string | null | undefined): string => (!text ? 'not set' : isDay(text) ? dayWords(text) : text)

export function historyLine(entry: HistoryEntry, units: Units): HistoryLine {
  const { kind, facts, subject } = entry
  const line = (title: string, more: Partial<HistoryLine> = {}): HistoryLine => ({ title, facts: [], text: '', before: null, ...more })
  const because = subject?.decision ? { text: subject.decision.reason } : {}
  switch (kind) {
    case 'seeds.added':
      return line('Seed numbered')
    case 'plant.cut':
      return line('Cut')
    case 'plant.rooted':
      return line('Rooted')
    case 'plant.placed':
      return line(facts.row == null ? `In ${runName(entry)}` : `Row ${facts.row}, column ${facts.column} in ${runName(entry)}`)
    case 'plant.changed': {
      const name = fieldNames[facts.changed ?? 'startedOn']
      return line(`${name}: ${said(facts.after)}`, { before: said(facts.before) })
    }
    case 'plant.ended':
      return line(facts.endedHow ? endWords[facts.endedHow] : 'Ended', because)
    case 'plant.revived':
      return line('Alive again', facts.endedHow ? { before: `${endWords[facts.endedHow].toLowerCase()} on ${said(facts.before)}` } : {})
    case 'genotype.sexed':
      return line(
        facts.sex ? sexWords[facts.sex] : 'Sex recorded',
        facts.before ? { before: sexWords[facts.before as keyof typeof sexWords] } : {},
      )
    case 'decision.made':
      return line(`Decision: ${facts.standing ? standingWords[facts.standing] : ''}`, {
        ...because,
        facts: subject?.decision?.isUndone ? ['since undone'] : [],
      })
    case 'decision.undone':
      return line(`Decision undone: ${facts.standing ? standingWords[facts.standing] : ''}`)
    case 'log.written':
    case 'log.changed':
    case 'log.deleted':
      return logLine(entry, units)
    case 'observation.made':
    case 'observation.corrected':
      return scoreLine(entry)
    case 'harvest.recorded':
    case 'harvest.changed':
      return line(kind === 'harvest.recorded' ? 'Harvest' : 'Harvest corrected', { facts: harvestFacts(entry, units) })
    case 'lab.recorded':
      return line('Lab result', { facts: labFacts(entry) })
    default:
      return line('Changed')
  }
}

const runName = ({ subject }: HistoryEntry): string => subject?.run?.name ?? 'a run that was deleted'

type LogFacts = { week: number | null; stage: string | null; heightCm: number | null; rating: number | null }

const logFacts = (log: LogFacts, units: Units): string[] => [
  ...(log.week === null ? [] : [`week ${log.week}`]),
  ...(log.stage === null ? [] : [stageWords[log.stage as keyof typeof stageWords].toLowerCase()]),
  ...(log.heightCm === null ? [] : [measured(log.heightCm, 'length', units)]),
  ...(log.rating === null ? [] : [`rating ${log.rating} of 10`]),
]

const measured = (value: number, measure: Measure, units: Units) => `${shown(value, measure, units)} ${unitName(measure, units)}`

function logLine({ kind, subject }: HistoryEntry, units: Units): HistoryLine {
  const log = subject?.log
  const titles = { 'log.written': 'Log', 'log.changed': 'Log corrected', 'log.deleted': 'Log deleted' } as const
  const title = titles[kind as keyof typeof titles]
  if (!log || log.isDeleted)
    return { title, facts: log?.isDeleted && kind !== 'log.deleted' ? ['since deleted'] : [], text: '', before: null }
  const before = log.before && [...logFacts(log.before, units), ...(log.before.notes === '' ? [] : [`“${log.before.notes}”`])].join(', ')
  return { title, facts: logFacts(log, units), text: log.notes, before: before || null }
}

function scoreLine({ subject }: HistoryEntry): HistoryLine {
  const score = subject?.observation
  if (!score) return { title: 'Score', facts: [], text: '', before: null }
  const value = score.isWithdrawn ? 'withdrawn' : `${score.value}${score.unit && score.value ? ` ${score.unit}` : ''}`
  return {
    title: value ? `${score.trait}: ${value}` : score.trait,
    facts: [...(score.isBlind ? ['blind'] : []), ...(score.isCorrected ? ['since corrected'] : [])],
    text: score.note,
    before: score.corrected?.value || null,
  }
}

function harvestFacts({ subject }: HistoryEntry, units: Units): string[] {
  const { flowerDays = null, wetGrams = null, dryGrams = null, washYieldPercent = null } = subject?.harvest ?? {}
  return [
    ...(flowerDays === null ? [] : [`${flowerDays} days of flower`]),
    ...(wetGrams === null ? [] : [`${measured(wetGrams, 'mass', units)} wet`]),
    ...(dryGrams === null ? [] : [`${measured(dryGrams, 'mass', units)} dry`]),
    ...(washYieldPercent === null ? [] : [`${washYieldPercent}% wash yield`]),
  ]
}

function labFacts({ subject }: HistoryEntry): string[] {
  const result = subject?.lab
  if (!result) return []
  const value = result.value === null ? `below ${result.quantificationLimit} ${result.unit}` : `${result.value} ${result.unit}`
  return [`${result.analyte} ${value}`, ...(result.lab === '' ? [] : [result.lab])]
}
