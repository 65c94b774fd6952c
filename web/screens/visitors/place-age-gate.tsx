import { ageGatePath } from '#contracts/age.ts'
import type { Business } from '#contracts/businesses.ts'
import { Button } from '#web/ui/button.tsx'

type PlaceAgeGateProps = {
  age: Pick<Business['productAge'], 'minimumAge' | 'rule'>
  /** The viewer's age is known from their account, so that a statement can't change it. */
  isAgeKnown: boolean
  returnTo: string
  /** What people below the age are told. */
  refusal: string
  /** Why it asks, where the page doesn't say so. */
  reason?: string
}

/** In place of what people below the age of a place may not see. A form that works without scripts. */
export function PlaceAgeGate({ age: { minimumAge, rule }, isAgeKnown, returnTo, refusal, reason }: PlaceAgeGateProps) {
  if (isAgeKnown) {
    return (
      <div className="grid gap-1.5 rounded-card border border-line bg-surface p-5">
        <p className="font-medium">{refusal}</p>
        <p className="text-muted text-sm">{rule}</p>
      </div>
    )
  }
  return (
    <form
      method="post"
      action={ageGatePath}
      className="grid justify-items-start gap-4 rounded-card border border-line bg-surface p-5 sm:p-6"
    >
      <div>
        <h3 className="text-lg">Are you {minimumAge} or older?</h3>
        <p className="mt-1.5 text-muted text-sm">{reason ? `${reason} ${rule}` : rule}</p>
      </div>
      <input type="hidden" name="age" value={minimumAge} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <Button type="submit" name="confirmed" value="on" size="lg" className="max-sm:w-full">
        Yes, I’m {minimumAge} or older
      </Button>
    </form>
  )
}
