import { useUnits } from '../../lib/use-units.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { PendingBadge, PendingEntry } from '../offline/pending-entry.tsx'
import { type PendingWrite, usePhotoUrl } from '../offline/use-outbox.ts'
import { logFields, textOf, unitOf } from './log-fields.ts'
import { dayWords } from './log-words.ts'

/** A log that has not arrived, among those that have. What its person has to decide stands in it. */
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
