import { useQuery } from '@tanstack/react-query'
import { Store } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { businessOptions } from '../businesses/businesses.api.ts'

/** Which listing is claimed as soon as the account exists. */
export function ClaimIntent({ slug, onDrop }: { slug: string; onDrop: () => void }) {
  const { data: business } = useQuery(businessOptions(slug))
  if (!business) return null
  return (
    <section aria-label="Your claim" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-input bg-leaf-soft p-4">
      <Store aria-hidden="true" className="size-5 shrink-0 text-leaf" />
      <p className="min-w-0 flex-1 basis-60 text-sm wrap-anywhere">
        You claim <strong className="font-semibold">{business.name}</strong>
        {business.location && `, ${business.location}`}. Your account comes first; then you show that it is yours.
      </p>
      <Button size="sm" variant="quiet" onClick={onDrop}>
        Not mine
      </Button>
    </section>
  )
}
