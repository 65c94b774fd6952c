import { type FormEvent, useState } from 'react'
import { minimumAge } from '../../../contracts/age.ts'
import { brand } from '../../lib/boot.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TermsNote } from '../accounts/terms-note.tsx'

export function AgeGate({ onEnter }: { onEnter(): void }) {
  const [isConfirmed, setConfirmed] = useState(false)
  const enter = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed) onEnter()
  }
  return (
    <form onSubmit={enter} className="grid gap-5 rounded-card border border-line bg-surface p-6 shadow-lift sm:p-8">
      <div>
        <h1 className="text-2xl">Age Verification Required</h1>
        <p className="mt-2 text-muted">You must be {minimumAge} years or older to access this platform.</p>
      </div>
      <Checkbox checked={isConfirmed} onChange={(event) => setConfirmed(event.target.checked)} className="rounded-input bg-sunk px-4 py-3">
        I confirm that I am {minimumAge} years or older
      </Checkbox>
      <Button type="submit" size="lg" disabled={!isConfirmed}>
        Enter {brand.name}
      </Button>
      <TermsNote action="entering" />
    </form>
  )
}
