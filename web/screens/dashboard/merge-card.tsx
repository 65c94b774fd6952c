import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { MergeDialog } from '#web/entities/merges/merge-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

export function MergeCard({ business }: { business: Business }) {
  const navigate = useNavigate()
  const { data = [] } = useQuery(myBusinessesOptions)
  const others = data.filter(({ id, role }) => id !== business.id && role === 'owner')
  const [intoId, setIntoId] = useState('')
  const [isOpen, setOpen] = useState(false)
  if (others.length === 0) return null
  const into = others.find(({ id }) => id === intoId)
  return (
    <Card asChild>
      <section aria-label="Merge">
        <CardBody className="grid justify-items-start gap-3 sm:p-6">
          <h2 className="text-xl">Merge this business</h2>
          <p className="text-muted">If it’s listed twice, move its followers, reviews and posts to another business you own.</p>
          <div className="flex flex-wrap items-end gap-3">
            <Field label="Merge into">
              <Select value={intoId} onChange={(event) => setIntoId(event.target.value)}>
                <option value="">Choose a business</option>
                {others.map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            <Button variant="secondary" disabled={!into} onClick={() => setOpen(true)}>
              Review merge
            </Button>
          </div>
          {isOpen && into && (
            <MergeDialog
              fromId={business.id}
              intoId={into.id}
              onClose={() => setOpen(false)}
              onMerged={({ slug }) => void navigate({ to: '/business-dashboard', search: { business: slug } })}
            />
          )}
        </CardBody>
      </section>
    </Card>
  )
}
