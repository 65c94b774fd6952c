import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createGrowLog, createGrowLogs, deleteGrowLog, updateGrowLog } from '#contracts/calls/grow-logs.ts'
import type { GrowLog } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { type LogFilter, logsOptions, versionsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { differences, logFields } from '#web/entities/grow-logs/log-fields.ts'
import { type Entry, removeLog, undoRemoval, writeLogs } from '#web/entities/grow-logs/log-writes.ts'
import { type LogPlant, nameOfLog } from '#web/entities/grow-logs/plant-names.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { PendingEntry } from '#web/entities/offline/pending-entry.tsx'
import { type PendingWrite, useOutbox } from '#web/entities/offline/use-outbox.ts'
import { counted } from '#web/lib/format.ts'
import { useUnits } from '#web/lib/units.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { Input } from '#web/ui/input.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { EditLog, type LogAction, LogCard, PendingLog } from './log-card.tsx'

type LogListProps = {
  hunt: Pick<Hunt, 'id'>
  plants: readonly LogPlant[]
  mayWrite: boolean
  firstPlantId?: string
}

export function LogList({ hunt, plants, mayWrite, firstPlantId }: LogListProps) {
  const [filter, setFilter] = useState<LogFilter>({ plantId: firstPlantId })
  const [open, setOpen] = useState<{ action: LogAction; log: GrowLog } | null>(null)
  const list = useInfiniteQuery(logsOptions(hunt.id, filter))
  const writes = useOutbox({ subject: filter.plantId ?? hunt.id })
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? []
  const { fresh, changes, deleted } = pendingOf(writes, loaded)
  const waiting = fresh.filter(({ body }) => filter.week === undefined || body.week === filter.week)
  const nameOf = (plantId: string) => plants.find(({ id }) => id === plantId)?.name ?? 'a plant'
  const unsentFocus = useListFocus<HTMLUListElement>()
  const sentFocus = useListFocus<HTMLUListElement>()
  const isFiltered = filter.plantId !== undefined || filter.week !== undefined

  async function remove(log: GrowLog) {
    try {
      const entryId = await removeLog(log)
      toast({
        title: `Deleted the log for ${nameOfLog(log)}`,
        action: { label: 'Undo', onClick: () => void restore(log, entryId) },
      })
    } catch (error) {
      toastUnsaved('The log couldn’t be deleted', error)
    }
  }

  async function restore(log: GrowLog, entryId: string) {
    try {
      await undoRemoval(log, entryId)
    } catch (error) {
      toastUnsaved('The log couldn’t be restored', error)
    }
  }

  const act = (log: GrowLog) => (action: LogAction) => (action === 'delete' ? void remove(log) : setOpen({ action, log }))
  const dialog = { isOpen: true, onOpenChange: (isOpen: boolean) => !isOpen && setOpen(null) }

  return (
    <section aria-labelledby="grow-logs" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="grow-logs" className="text-2xl">
          Logs
        </h2>
        <div className="flex flex-wrap gap-3">
          <Field label="Plant" className="w-40">
            <Select value={filter.plantId ?? ''} onChange={({ target }) => setFilter({ ...filter, plantId: target.value || undefined })}>
              <option value="">All plants</option>
              {plants.map(({ id, name, label }) => (
                <option key={id} value={id}>
                  {label === '' ? name : `${name} ${label}`}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Week" className="w-24">
            <Input
              inputMode="numeric"
              placeholder="All"
              value={filter.week ?? ''}
              onChange={({ target }) =>
                setFilter({ ...filter, week: /^\d{1,3}$/.test(target.value) ? Math.min(520, Number(target.value)) : undefined })
              }
            />
          </Field>
        </div>
      </div>
      {waiting.length > 0 && (
        <ul {...unsentFocus} className="grid gap-4" aria-label="Not sent yet">
          {waiting.map((write) => (
            <li key={write.id}>
              <PendingLog write={write} />
            </li>
          ))}
        </ul>
      )}
      <PagedList
        list={list}
        loadingLabel="Loading logs..."
        skeleton={<LogSkeleton />}
        failure="The logs couldn’t be loaded"
        cards="each"
        empty={waiting.length > 0 ? null : <NoLogs isFiltered={isFiltered} mayWrite={mayWrite} />}
      >
        {(logs) => (
          <ul {...sentFocus} className="grid gap-4">
            {logs
              .filter(({ id }) => !deleted.has(id))
              .map((log) => {
                const change = changes.get(log.id)
                return (
                  <li key={log.id} className="grid gap-2">
                    <LogCard log={withChange(log, change)} pending={change} onAction={mayWrite ? act(log) : null} />
                    {change?.hold && <PendingEntry write={change} />}
                  </li>
                )
              })}
          </ul>
        )}
      </PagedList>
      {open?.action === 'edit' && (
        <EditLog log={withChange(open.log, changes.get(open.log.id))} pending={changes.get(open.log.id)} plants={plants} {...dialog} />
      )}
      {open?.action === 'copy' && <CopyLog log={withChange(open.log, changes.get(open.log.id))} plants={plants} {...dialog} />}
      {open?.action === 'history' && <LogVersions log={open.log} nameOf={nameOf} {...dialog} />}
    </section>
  )
}

function NoLogs({ isFiltered, mayWrite }: { isFiltered: boolean; mayWrite: boolean }) {
  if (isFiltered) return <ListNote title="No logs here">Choose another plant or week.</ListNote>
  return (
    <ListNote title="No logs yet">
      {mayWrite ? 'Write the first one above. A height and a rating are enough.' : 'Logs will appear here once someone adds them.'}
    </ListNote>
  )
}

const LogSkeleton = () => (
  <span className="grid gap-3 rounded-card border border-line bg-surface p-5">
    <Skeleton className="h-6 w-32" />
    <SkeletonText lines={2} />
  </span>
)

type CopyLogProps = { log: GrowLog; plants: readonly LogPlant[]; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** Each plant gets its own log, without the photos. */
function CopyLog({ log, plants, isOpen, onOpenChange }: CopyLogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isSaving, setSaving] = useState(false)
  const others = plants.filter(({ id, isAlive }) => isAlive && id !== log.plant?.id)
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }

  async function copy() {
    const said = Object.fromEntries(logFields.map(({ key }) => [key, key === 'week' && !log.isWeekStated ? null : log[key]]))
    const entries = [...chosen].map((plantId): Entry => ({ ...said, loggedOn: log.loggedOn, plantId }))
    setSaving(true)
    try {
      await writeLogs(log.huntId, entries)
      toast({ title: `Copied to ${counted(entries.length, 'plant')}` })
      onOpenChange(false)
    } catch (error) {
      toastUnsaved('The copies couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
  }

  const areAll = chosen.size === others.length
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Copy the log for ${nameOfLog(log)}`}
        description="Copies everything except the photos, as a separate log for each plant."
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button size="lg" disabled={chosen.size === 0} pending={isSaving} pendingText="Saving..." onClick={() => void copy()}>
              {chosen.size === 0 ? 'Copy' : `Copy to ${counted(chosen.size, 'plant')}`}
            </Button>
          </>
        }
      >
        <div className="grid gap-3">
          <Button
            variant="secondary"
            size="lg"
            className="justify-self-start"
            onClick={() => setChosen(areAll ? new Set() : new Set(others.map(({ id }) => id)))}
          >
            {areAll ? 'None' : 'All living plants'}
          </Button>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-2">
            {others.map(({ id, name, label }) => (
              <button
                key={id}
                type="button"
                aria-pressed={chosen.has(id)}
                onClick={() => toggle(id)}
                className={cx(
                  'grid min-h-14 place-items-center content-center rounded-input border px-1',
                  chosen.has(id) ? 'border-leaf bg-leaf-soft text-leaf' : 'border-edge bg-surface hover:bg-sunk',
                )}
              >
                <span className="font-semibold text-lg tabular-nums">{name}</span>
                {label !== '' && <span className="max-w-full truncate text-xs">{label}</span>}
              </button>
            ))}
          </div>
          {others.length === 0 && <p className="text-muted">This hunt has no other living plants.</p>}
        </div>
      </DialogContent>
    </Dialog>
  )
}

type LogVersionsProps = { log: GrowLog; nameOf: (plantId: string) => string; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

function LogVersions({ log, nameOf, isOpen, onOpenChange }: LogVersionsProps) {
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent title={`History of ${nameOfLog(log)}`} description="Previous versions are kept when a log is corrected." size="md">
        <Versions log={log} nameOf={nameOf} />
      </DialogContent>
    </Dialog>
  )
}

function Versions({ log, nameOf }: Pick<LogVersionsProps, 'log' | 'nameOf'>) {
  const units = useUnits()
  const versions = useQuery(versionsOptions(log.id))
  if (versions.isPending) {
    return (
      <SkeletonGroup label="Loading the history...">
        <SkeletonText lines={4} />
      </SkeletonGroup>
    )
  }
  if (!versions.data) {
    return <LoadError level={3} title="The history couldn’t be loaded" query={versions} />
  }
  if (versions.data.length === 0) return <p className="text-muted">This log hasn’t been changed.</p>
  return (
    <ol className="grid gap-4">
      {versions.data.map((version, nth) => (
        <li key={version.version} className="grid gap-1.5 border-line border-b pb-4 last:border-0 last:pb-0">
          <p className="text-muted text-sm">
            {version.changedBy?.name ?? 'Someone'} changed it <Ago at={version.changedAt} />
          </p>
          <ul className="grid gap-1">
            {differences(version, versions.data[nth - 1] ?? log, units, nameOf).map(({ label, before, after }) => (
              <li key={label}>
                {label} was <span className="font-medium">{before}</span>, now <span className="font-medium">{after}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

type Pending = {
  fresh: PendingWrite[]
  changes: ReadonlyMap<string, PendingWrite>
  deleted: ReadonlySet<string>
}

export function pendingOf(writes: readonly PendingWrite[], logs: readonly GrowLog[]): Pending {
  const known = new Set(logs.map(({ id }) => id))
  const isKnown = ({ body }: PendingWrite) =>
    [body, ...(Array.isArray(body.logs) ? body.logs : [])].some((each) => known.has(String((each as { id?: unknown }).id)))
  const of = ({ path, method }: { path: string; method: string }) =>
    writes.filter((write) => write.path === path && write.method === method)
  return {
    // A write may briefly be both pending and listed.
    fresh: [...new Map([...of(createGrowLog), ...of(createGrowLogs)].map((write) => [write.id, write])).values()]
      .filter((write) => !isKnown(write))
      .sort((a, b) => b.createdAt - a.createdAt),
    changes: changesOf(of(updateGrowLog)),
    deleted: new Set(of(deleteGrowLog).flatMap(({ params, hold }) => (hold || !params.id ? [] : [params.id]))),
  }
}

/** Several changes to a log are shown as one, unless an earlier one needs attention. */
function changesOf(writes: readonly PendingWrite[]): Map<string, PendingWrite> {
  const changes = new Map<string, PendingWrite>()
  for (const write of writes) {
    const id = write.params.id ?? ''
    const earlier = changes.get(id)
    if (earlier?.hold) continue
    const isNext = earlier && !write.hold
    changes.set(id, isNext ? { ...write, body: { ...earlier.body, ...write.body }, photos: [...earlier.photos, ...write.photos] } : write)
  }
  return changes
}

export function withChange(log: GrowLog, change: PendingWrite | undefined): GrowLog {
  if (!change || change.hold) return log
  const { version: _version, plantId: _plantId, mediaIds: _mediaIds, ...said } = change.body
  const stated = said.week === undefined ? {} : { isWeekStated: said.week !== null, week: (said.week as number | null) ?? log.week }
  return { ...log, ...said, ...stated }
}
