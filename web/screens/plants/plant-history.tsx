import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import type { HistoryEntry } from '#contracts/plant-history.endpoints.ts'
import type { Decision } from '#contracts/plants.endpoints.ts'
import { LogPhotos } from '#web/entities/grow-logs/log-photos.tsx'
import { formatDay, formatLocalDay } from '#web/entities/hunts/hunt-words.ts'
import { endWords, sexLabels, stageLabels, standingLabels } from '#web/entities/plants/plant-words.ts'
import { undoAll } from '#web/entities/plants/plant-writes.ts'
import { decisionsOptions, historyOptions } from '#web/entities/plants/plants.api.ts'
import { StandingBadge } from '#web/entities/plants/standing-badge.tsx'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { counted } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'
import { type Measure, shown, type Units, unitName, useUnits, withUnit } from '#web/lib/units.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'

export function DecisionList({ hunt, genotypeId }: { hunt: Hunt; genotypeId: string }) {
  const list = useInfiniteQuery(decisionsOptions(hunt.id, genotypeId))
  return (
    <section aria-labelledby="decisions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="decisions" className="scroll-mt-20 text-xl">
        Decisions
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading decisions..."
        skeleton={<SkeletonRow />}
        failure="The decisions couldn’t be loaded"
        cards="whole"
        empty={<p className="text-muted text-sm">No decisions yet.</p>}
      >
        {(decisions) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {decisions.map((decision) => (
                <One key={decision.id} decision={decision} canUndo={hunt.abilities.write} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

function One({ decision, canUndo }: { decision: Decision; canUndo: boolean }) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { kind, reason, known, decidedBy, decidedOn, undoneAt, undoneBy, endedPlantIds } = decision
  const isUndone = undoneAt !== null
  return (
    <li className="grid gap-1.5 px-4 py-3">
      <div className="-mr-2 flex min-h-12 items-center gap-2">
        {isUndone ? <Badge variant="outline">{standingLabels[kind]}</Badge> : <StandingBadge standing={kind} />}
        <span className="min-w-0 text-muted text-sm">
          {formatDay(decidedOn)}
          {decidedBy && ` · ${decidedBy.name}`}
        </span>
        {isUndone && <Badge variant="outline">Undone</Badge>}
        {canUndo && !isUndone && (
          <Button
            variant="quiet"
            className="ml-auto min-h-12 px-3"
            pending={isBusy}
            onClick={async () => {
              setBusy(true)
              await undoAll(client, [decision])
              setBusy(false)
            }}
          >
            <Undo2 aria-hidden="true" />
            Undo
          </Button>
        )}
      </div>
      {reason !== '' && <p className="whitespace-pre-line wrap-anywhere">{reason}</p>}
      <p className="text-muted text-sm">
        Known at the time:{' '}
        {[
          `${known.livingCopies} of ${counted(known.plants, 'copy', 'copies')} alive`,
          counted(known.logs, 'log'),
          counted(known.observations, 'score'),
          ...(known.rank === null ? [] : [`rank ${known.rank} of ${known.rankedOf}`]),
          ...(known.chanceBest === null ? [] : [`${Math.round(known.chanceBest * 100)}% chance of being the best`]),
        ].join(', ')}
        {endedPlantIds.length > 0 && `. ${counted(endedPlantIds.length, 'plant')} ended.`}
      </p>
      {isUndone && (
        <p className="text-muted text-sm">
          Undone {formatLocalDay(undoneAt)}
          {undoneBy && ` by ${undoneBy.name}`}
        </p>
      )}
    </li>
  )
}

/** Each entry appears under the day it's about. Late ones are marked. */
export function HistoryList({ huntId, genotypeId }: { huntId: string; genotypeId: string }) {
  const list = useInfiniteQuery(historyOptions(genotypeId))
  return (
    <PagedList
      list={list}
      loadingLabel="Loading the history..."
      skeleton={<SkeletonRow />}
      failure="The history couldn’t be loaded"
      empty={<p className="text-muted">No history yet.</p>}
    >
      {(entries) => (
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {byDay(entries).map(([day, those]) => (
            <li key={day} className="grid grid-cols-[minmax(0,1fr)] gap-x-5 gap-y-2 sm:grid-cols-[7rem_minmax(0,1fr)]">
              <h3 className="pt-0.5 font-medium font-text text-muted text-sm tabular-nums">
                <time dateTime={day}>{formatDay(day)}</time>
              </h3>
              <ol className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-l pl-4">
                {those.map((entry) => (
                  <Entry key={entry.id} huntId={huntId} entry={entry} />
                ))}
              </ol>
            </li>
          ))}
        </ol>
      )}
    </PagedList>
  )
}

const byDay = (entries: readonly HistoryEntry[]) => [...Map.groupBy(entries, ({ happenedOn }) => happenedOn)]

function Entry({ huntId, entry }: { huntId: string; entry: HistoryEntry }) {
  const me = useCurrentUser()
  const { title, facts, text, before } = historyLine(entry, useUnits())
  const { plant, recordedBy, recordedAt, happenedOn, subject } = entry
  const photos = [...(subject?.log?.photos ?? []), ...(subject?.observation?.photo ? [subject.observation.photo] : [])]
  const isLater = localDay(new Date(recordedAt)) > happenedOn
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)] gap-1 before:absolute before:top-2 before:-left-[1.3rem] before:size-2 before:rounded-full before:bg-edge">
      <p>
        <span className="font-medium">{title}</span>
        {plant && <span className="text-muted tabular-nums"> · {plant.name}</span>}
        {facts.length > 0 && <span className="text-muted"> · {facts.join(' · ')}</span>}
      </p>
      {text !== '' && <p className="max-w-text whitespace-pre-line wrap-anywhere">{text}</p>}
      {before && (
        <p className="text-muted text-sm">
          <span className="sr-only">Before: </span>
          <span aria-hidden="true">was </span>
          <del className="decoration-1">{before}</del>
        </p>
      )}
      <LogPhotos photos={photos} title={`Photos: ${title}`} />
      <p className="flex flex-wrap text-muted text-xs [&>*+*]:before:content-['_·_'] [&>*+*]:before:whitespace-pre">
        {recordedBy && recordedBy.id !== me?.id && <span>{recordedBy.name}</span>}
        {isLater && <span>recorded {formatLocalDay(recordedAt)}</span>}
        <SubjectLink huntId={huntId} entry={entry} />
      </p>
    </li>
  )
}

function SubjectLink({ huntId, entry: { subject } }: { huntId: string; entry: HistoryEntry }) {
  if (subject?.type === 'log') {
    return subject.log?.isDeleted || subject.log?.movedTo != null ? null : (
      <span>
        <Link to="/pheno-hunt" search={{ tab: 'logs', hunt: huntId }} className={textLink}>
          Grow logs
        </Link>
      </span>
    )
  }
  if (subject?.type === 'run') {
    return (
      <span>
        <Link to="/pheno-hunt/$id" params={{ id: huntId }} search={{ section: 'runs' }} className={textLink}>
          Runs
        </Link>
      </span>
    )
  }
  if (subject?.type === 'decision') {
    return (
      <span>
        <a href="#decisions" className={textLink}>
          Decisions
        </a>
      </span>
    )
  }
  if (!subject) return null
  return (
    <span>
      <Link to="/pheno-hunt" search={{ tab: 'tracker', hunt: huntId }} className={textLink}>
        Data tracker
      </Link>
    </span>
  )
}

type HistoryLine = {
  title: string
  facts: string[]
  text: string
  before: string | null
}

const fieldNames = { startedOn: 'Started', cutOn: 'Cut', rootedOn: 'Rooted', isMother: 'Mother' } as const

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const said = (text: string | null | undefined): string => (!text ? 'not set' : isDay(text) ? formatDay(text) : text)

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
        facts.sex ? sexLabels[facts.sex] : 'Sex recorded',
        facts.before ? { before: sexLabels[facts.before as keyof typeof sexLabels] } : {},
      )
    case 'decision.made':
      return line(`Decision: ${facts.standing ? standingLabels[facts.standing] : ''}`, {
        ...because,
        facts: subject?.decision?.isUndone ? ['since undone'] : [],
      })
    case 'decision.undone':
      return line(`Decision undone: ${facts.standing ? standingLabels[facts.standing] : ''}`)
    case 'log.written':
    case 'log.changed':
    case 'log.deleted':
      return logLine(entry, units)
    case 'observation.made':
    case 'observation.corrected':
      return scoreLine(entry)
    case 'harvest.recorded':
    case 'harvest.changed':
    case 'harvest.deleted': {
      const titles = { 'harvest.recorded': 'Harvest', 'harvest.changed': 'Harvest corrected', 'harvest.deleted': 'Harvest deleted' }
      if (kind === 'harvest.deleted') return line(titles[kind])
      return line(titles[kind], { facts: subject?.harvest ? harvestFacts(entry, units) : ['since deleted'] })
    }
    case 'lab.recorded':
      return line('Lab result', { facts: labFacts(entry) })
    default:
      return line('Changed')
  }
}

const runName = ({ subject }: HistoryEntry): string => subject?.run?.name ?? 'a deleted run'

type LogFacts = { week: number | null; stage: string | null; heightCm: number | null; rating: number | null }

const logFacts = (log: LogFacts, units: Units): string[] => [
  ...(log.week === null ? [] : [`week ${log.week}`]),
  ...(log.stage === null ? [] : [stageLabels[log.stage as keyof typeof stageLabels].toLowerCase()]),
  ...(log.heightCm === null ? [] : [measured(log.heightCm, 'length', units)]),
  ...(log.rating === null ? [] : [`rating ${log.rating} of 10`]),
]

const measured = (value: number, measure: Measure, units: Units) => `${shown(value, measure, units)} ${unitName(measure, units)}`

function logLine({ kind, subject }: HistoryEntry, units: Units): HistoryLine {
  const log = subject?.log
  const titles = { 'log.written': 'Log', 'log.changed': 'Log corrected', 'log.deleted': 'Log deleted' } as const
  const title = titles[kind as keyof typeof titles]
  if (log?.movedTo != null) return { title, facts: [`moved to ${log.movedTo || 'the whole hunt'}`], text: '', before: null }
  if (!log || log.isDeleted)
    return { title, facts: log?.isDeleted && kind !== 'log.deleted' ? ['since deleted'] : [], text: '', before: null }
  const before = log.before && [...logFacts(log.before, units), ...(log.before.notes === '' ? [] : [`“${log.before.notes}”`])].join(', ')
  return { title, facts: logFacts(log, units), text: log.notes, before: before || null }
}

function scoreLine({ subject }: HistoryEntry): HistoryLine {
  const score = subject?.observation
  if (!score) return { title: 'Score', facts: [], text: '', before: null }
  const value = score.isWithdrawn ? 'withdrawn' : score.value && withUnit(score.value, score.unit)
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
    ...(flowerDays === null ? [] : [`flowered ${flowerDays} days`]),
    ...(wetGrams === null ? [] : [`${measured(wetGrams, 'mass', units)} wet`]),
    ...(dryGrams === null ? [] : [`${measured(dryGrams, 'mass', units)} dry`]),
    ...(washYieldPercent === null ? [] : [`${washYieldPercent}% wash yield`]),
  ]
}

function labFacts({ subject }: HistoryEntry): string[] {
  const result = subject?.lab
  if (!result) return []
  const value =
    result.value === null ? `below ${withUnit(`${result.quantificationLimit}`, result.unit)}` : withUnit(result.value, result.unit)
  return [`${result.analyte} ${value}`, ...(result.lab === '' ? [] : [result.lab])]
}
