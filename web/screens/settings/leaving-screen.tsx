import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { cancelAccountDeletion } from '#contracts/calls/own-data.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { SignOutHeader } from '#web/ui/way-out.tsx'
import { dayWords, ExportRow } from './export-row.tsx'

/** Until the deletion is canceled, the server refuses the browser's push subscription. */
const renewPushes = (account: string): Promise<void> =>
  import('#web/screens/notifications/preferences-screen.tsx').then((screen) => screen.renewPushes(account)).catch(() => undefined)

/** Replaces every page except public ones while the account is scheduled for deletion. */
export default function LeavingScreen({ dueAt }: { dueAt: string }) {
  const router = useRouter()
  const user = useCurrentUser()
  const keepAccount = useMutation({
    mutationFn: async () => {
      await call(cancelAccountDeletion, {})
      if (user) await renewPushes(user.id)
      await refreshCurrentUser()
    },
    // Runs even though the current user's update already replaced this screen.
    onSuccess: () => {
      toast({ title: 'You kept your account', description: 'Nothing will be deleted.' })
      void router.navigate({ to: '/' })
    },
  })
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <SignOutHeader className="border-line border-b pb-4" />
      <div className="grid justify-items-start gap-4">
        <span className="grid size-12 place-items-center rounded-full bg-sunk text-muted">
          <CalendarClock aria-hidden="true" className="size-6" />
        </span>
        <h1 className="text-2xl sm:text-3xl">Your account will be deleted on {dayWords(dueAt)}</h1>
        <p className="max-w-text text-muted">
          Until then, your profile is hidden and nothing is deleted. Keep your account to restore everything except canceled payments.
        </p>
        <Button
          size="lg"
          pending={keepAccount.isPending || keepAccount.isSuccess}
          pendingText="Keeping it..."
          onClick={() => keepAccount.mutate()}
        >
          Keep my account
        </Button>
        <div role="alert">{keepAccount.isError && <FieldError>{messageOf(keepAccount.error)}</FieldError>}</div>
      </div>
      <div className="mt-10 border-line border-t pt-6">
        <h2 className="sr-only">Your data</h2>
        <ExportRow />
      </div>
    </div>
  )
}
