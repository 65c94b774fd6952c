import { useMutation } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { cancelAccountDeletion } from '../../../contracts/own-data.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { WayOut } from '../layout/way-out.tsx'
import { ExportRow } from './export-row.tsx'
import { dayWords } from './own-data-words.ts'

/** Met in place of every page by somebody whose account is to be deleted: they may keep it, take their data along, or go. */
export default function LeavingScreen({ dueAt }: { dueAt: string }) {
  const keep = useMutation({
    mutationFn: () => call(cancelAccountDeletion, {}),
    // A new page: all of it is theirs again.
    onSuccess: () => window.location.assign('/'),
  })
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <WayOut className="border-line border-b pb-4" />
      <div className="grid justify-items-start gap-4">
        <span className="grid size-12 place-items-center rounded-full bg-sunk text-muted">
          <CalendarClock aria-hidden="true" className="size-6" />
        </span>
        <h1 className="text-2xl sm:text-3xl">Your account is to be deleted on {dayWords(dueAt)}</h1>
        <p className="max-w-text text-muted">
          Until then nobody sees your profile, and nothing of yours is lost. Keep your account, and it is as it was; payments that were
          canceled stay canceled.
        </p>
        <Button size="lg" pending={keep.isPending || keep.isSuccess} pendingText="Keeping it..." onClick={() => keep.mutate()}>
          Keep my account
        </Button>
        <div role="alert">{keep.isError && <FieldError>{messageOf(keep.error)}</FieldError>}</div>
      </div>
      <div className="mt-10 border-line border-t pt-6">
        <h2 className="sr-only">Your data</h2>
        <ExportRow />
      </div>
    </div>
  )
}
