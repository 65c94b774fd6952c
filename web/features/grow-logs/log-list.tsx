import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { GrowLog } from '../../../contracts/grow-logs.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { PendingEntry } from '../offline/pending-entry.tsx'
import { entryActions, useOutbox } from '../offline/use-outbox.ts'
import { CopyLog } from './copy-log.tsx'
import { EditLog } from './edit-log.tsx'
import { type LogFilter, logsOptions } from './grow-logs.api.ts'
import { type LogAction, LogCard } from './log-card.tsx'
import { LogVersions } from './log-versions.tsx'
import { bringBackLog, removeLog } from './log-writes.ts'
import { PendingLog } from './pending-log.tsx'
import { pendingOf, withChange } from './pending-logs.ts'
import { type LogPlant, nameOfLog } from './plant-names.ts'

type LogListProps = {
  hunt: Pick<Hunt, 'id'>
  plants: readonly LogPlant[]
  mayWrite: boolean
  /** Whose logs come first; all plants' are a choice away. */
  firstPlantId?: string
}

/** What was written, the newest day first: all of it, of one plant, of one week. What has not arrived comes first. */
export function LogList({ hunt, plants, mayWrite, firstPlantId }: LogListProps) {
  const [filter, setFilter] = useState<LogFilter>({ plantId: firstPlantId })
  const [open, setOpen] = useState<{ action: LogAction; log: GrowLog } | null>(null)
  const list = useInfiniteQuery(logsOptions(hunt.id, filter))
  const writes = useOutbox({ subject: filter.plantId ?? hunt.id })
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? []
  const { fresh, changes, deleted } = pendingOf(writes, loaded)
  const waiting = fresh.filter(({ body }) => filter.week === undefined || body.week === filter.week)
  const nameOf = (plantId: string) => plants.find(({ id }) => id === plantId)?.name ?? 'a plant'
  const isFiltered = filter.plantId !== undefined || filter.week !== undefined

  async function remove(log: GrowLog) {
    const entryId = await removeLog(log)
    toast({
      title: `Deleted the log of ${nameOfLog(log)}`,
      action: {
        label: 'Undo',
        // Before it has left, giving it up is enough.
        onClick: () => void entryActions.discard(entryId).then((wasThere) => (wasThere ? null : bringBackLog(log))),
      },
    })
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
        <ul className="grid gap-4" aria-label="Not at the server yet">
          {waiting.map((write) => (
            <li key={write.id}>
              <PendingLog write={write} />
            </li>
          ))}
        </ul>
      )}
      <PagedList
        list={list}
        loadingLabel="Loading the logs..."
        skeleton={<LogSkeleton />}
        failure="The logs could not be loaded"
        cards="each"
        empty={waiting.length > 0 ? null : <NoLogs isFiltered={isFiltered} mayWrite={mayWrite} />}
      >
        {(logs) => (
          <ul className="grid gap-4">
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
      {open?.action === 'edit' && <EditLog log={open.log} plants={plants} {...dialog} />}
      {open?.action === 'copy' && <CopyLog log={open.log} plants={plants} {...dialog} />}
      {open?.action === 'history' && <LogVersions log={open.log} nameOf={nameOf} {...dialog} />}
    </section>
  )
}

function NoLogs({ isFiltered, mayWrite }: { isFiltered: boolean; mayWrite: boolean }) {
  if (isFiltered) return <ListNote title="No logs here">Choose another plant or week.</ListNote>
  return (
    <ListNote title="No logs yet">
      {mayWrite ? 'Write the first one above: a height and a rating are enough.' : 'Nothing has been written in this hunt.'}
    </ListNote>
  )
}

const LogSkeleton = () => (
  <span className="grid gap-3 rounded-card border border-line bg-surface p-5">
    <Skeleton className="h-6 w-32" />
    <SkeletonText lines={2} />
  </span>
)
