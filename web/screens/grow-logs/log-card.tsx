import { Copy, Ellipsis, History, Pencil, Trash2 } from 'lucide-react'
import type { GrowLog } from '#contracts/grow-logs.ts'
import { dayWords, facts, logFields, textOf, unitOf } from '#web/entities/grow-logs/log-fields.ts'
import { LogPhotos } from '#web/entities/grow-logs/log-photos.tsx'
import { nameOfLog } from '#web/entities/grow-logs/plant-names.ts'
import { PendingBadge, PendingEntry } from '#web/entities/offline/pending-entry.tsx'
import { type PendingWrite, usePhotoUrl } from '#web/entities/offline/use-outbox.ts'
import { useUnits } from '#web/lib/use-units.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'

export type LogAction = 'edit' | 'copy' | 'history' | 'delete'

type LogCardProps = {
  log: GrowLog
  pending?: PendingWrite | undefined
  /** Null for read-only viewers. */
  onAction: ((action: LogAction) => void) | null
}

export function LogCard({ log, pending, onAction }: LogCardProps) {
  const units = useUnits()
  const name = nameOfLog(log)
  const measured = facts(log, units, ['plain'])
  const expert = facts(log, units, ['air', 'water', 'work'])
  return (
    <Card asChild>
      <article aria-label={`Log of ${name}, ${dayWords(log.loggedOn)}`}>
        <CardBody className="grid gap-3">
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <h3 className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 text-lg">
                <span className="tabular-nums">{name}</span>
                {log.week !== null && <span className="font-text text-base text-muted">Week {log.week}</span>}
              </h3>
              <p className="text-muted text-sm">
                {dayWords(log.loggedOn)}
                {log.author && ` · ${log.author.name}`}
              </p>
            </div>
            {pending && <PendingBadge status={pending.status} />}
            {!pending && log.version > 1 && <Badge variant="outline">Edited</Badge>}
            {onAction && (
              <Menu>
                <MenuTrigger asChild>
                  <Button
                    variant="quiet"
                    className="-mt-2 -mr-2 min-h-12 w-12 px-0"
                    aria-label={`Actions for the log of ${name}, ${dayWords(log.loggedOn)}`}
                  >
                    <Ellipsis aria-hidden="true" />
                  </Button>
                </MenuTrigger>
                <MenuContent>
                  <MenuItem onSelect={() => onAction('edit')}>
                    <Pencil aria-hidden="true" />
                    Edit
                  </MenuItem>
                  <MenuItem onSelect={() => onAction('copy')}>
                    <Copy aria-hidden="true" />
                    Copy to other plants
                  </MenuItem>
                  {log.version > 1 && (
                    <MenuItem onSelect={() => onAction('history')}>
                      <History aria-hidden="true" />
                      History
                    </MenuItem>
                  )}
                  <MenuItem danger onSelect={() => onAction('delete')}>
                    <Trash2 aria-hidden="true" />
                    Delete
                  </MenuItem>
                </MenuContent>
              </Menu>
            )}
          </div>
          {measured.length > 0 && (
            <dl className="flex flex-wrap gap-x-6 gap-y-1">
              {measured.map(({ label, value }) => (
                <div key={label} className="flex items-baseline gap-1.5">
                  <dt className="text-muted text-sm">{label}</dt>
                  <dd className="font-semibold tabular-nums">{label === 'Rating' ? `${value} / 10` : value}</dd>
                </div>
              ))}
            </dl>
          )}
          {log.notes !== '' && <p className="max-w-text whitespace-pre-line">{log.notes}</p>}
          {(expert.length > 0 || log.vpdKpa !== null) && (
            <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
              {[...expert, ...(log.vpdKpa === null ? [] : [{ label: 'VPD', value: `${log.vpdKpa.toFixed(2)} kPa` }])].map(
                ({ label, value }) => (
                  <div key={label} className="flex items-baseline gap-1.5">
                    <dt className="text-muted">{label}</dt>
                    <dd className="tabular-nums">{value}</dd>
                  </div>
                ),
              )}
            </dl>
          )}
          <LogPhotos photos={log.photos} of={`the log of ${name}`} />
        </CardBody>
      </article>
    </Card>
  )
}

export function PendingLog({ write }: { write: PendingWrite }) {
  const units = useUnits()
  if (write.hold) return <PendingEntry write={write} />
  const { body, photos, title, status } = write
  const said = logFields.flatMap((field) => {
    const text = textOf(field, body, units)
    if (text === '' || field.key === 'notes' || field.key === 'week') return []
    const unit = unitOf(field, units)
    return [{ label: field.label, value: unit === '' ? text : `${text} ${unit}` }]
  })
  return (
    <Card asChild>
      <article aria-label={title}>
        <CardBody className="grid gap-3">
          <div className="flex flex-wrap items-start justify-between gap-2">
            <div>
              <h3 className="text-lg">{title}</h3>
              {typeof body.loggedOn === 'string' && <p className="text-muted text-sm">{dayWords(body.loggedOn)}</p>}
            </div>
            <PendingBadge status={status} />
          </div>
          {said.length > 0 && (
            <dl className="flex flex-wrap gap-x-6 gap-y-1">
              {said.map(({ label, value }) => (
                <div key={label} className="flex items-baseline gap-1.5">
                  <dt className="text-muted text-sm">{label}</dt>
                  <dd className="font-semibold tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {typeof body.notes === 'string' && body.notes !== '' && <p className="max-w-text whitespace-pre-line">{body.notes}</p>}
          {photos.length > 0 && (
            <ul aria-label={`Photos of ${title}`} className="flex flex-wrap gap-2">
              {photos.map(({ key, name }) => (
                <li key={key} className="size-20 overflow-hidden rounded-input bg-sunk">
                  <WaitingPhoto photoKey={key} name={name} />
                </li>
              ))}
            </ul>
          )}
        </CardBody>
      </article>
    </Card>
  )
}

function WaitingPhoto({ photoKey, name }: { photoKey: string; name: string }) {
  const url = usePhotoUrl(photoKey)
  return url && <img src={url} alt={name} className="size-full object-cover" />
}
