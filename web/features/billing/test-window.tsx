import { FlaskConical } from 'lucide-react'
import type { Checkout } from '../../../contracts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { moneyText } from './agreement-words.ts'

/** On everything of the test provider. */
export const testMode = 'Test mode – no money moves'

export function TestModeLabel() {
  return (
    <p className="flex items-center gap-2 text-muted text-sm">
      <FlaskConical aria-hidden="true" className="size-4 shrink-0" />
      {testMode}
    </p>
  )
}

type TestWindowProps = {
  checkout: Pick<Checkout, 'title' | 'price'>
  pending: boolean
  onAnswer: (outcome: 'approve' | 'refuse') => void
}

/** What stands at a real provider's own window: what is bought, for how much, and the two answers. */
export function TestWindow({ checkout, pending, onAnswer }: TestWindowProps) {
  return (
    <div className="grid gap-4">
      <TestModeLabel />
      <dl className="grid gap-1 rounded-input border border-line p-4">
        <dt className="wrap-anywhere">{checkout.title}</dt>
        <dd className="flex items-baseline gap-2">
          <span className="font-display text-2xl tabular-nums">{moneyText(checkout.price)}</span>
          <span className="text-muted text-sm">per month, until you cancel</span>
        </dd>
      </dl>
      <div className="grid grid-cols-2 gap-3">
        <Button variant="secondary" size="lg" onClick={() => onAnswer('refuse')} disabled={pending}>
          Cancel
        </Button>
        <Button size="lg" onClick={() => onAnswer('approve')} pending={pending} pendingText="Approving...">
          Approve
        </Button>
      </div>
    </div>
  )
}

/** The same in a window of its own. Closing it is no answer: the purchase waits. */
export function TestWindowDialog({ onClose, ...props }: TestWindowProps & { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Approve the payment?">
        <TestWindow {...props} />
      </DialogContent>
    </Dialog>
  )
}
