import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { passSecondFactor, renewRecoveryCodes, turnOffSecondFactor } from '#contracts/calls/sign-in.ts'
import type { SecondFactorState } from '#contracts/sign-in.endpoints.ts'
import { secondFactorOptions } from '#web/entities/accounts/sign-in.api.ts'
import { CodeForm } from '#web/entities/security/code-form.tsx'
import { RecoveryCodes, SetUp } from '#web/entities/security/set-up.tsx'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { useRestoredFocus } from '#web/ui/focus.ts'
import { quietLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { SignOutHeader } from '#web/ui/way-out.tsx'

export function SecurityScreen() {
  const query = useQuery(secondFactorOptions)
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <Link to="/settings" hash="sign-in" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Settings
      </Link>
      <PageHeader title="Sign-in and security" description={`How you sign in to ${brand.name}, besides your password.`} />
      <Card className="mt-6">
        <CardBody>
          <Loaded
            query={query}
            loadingLabel="Loading your second factor..."
            skeleton={<Skeleton className="h-40" />}
            failure="Your second factor couldn’t be loaded"
          >
            {(state) => <SecondFactor state={state} />}
          </Loaded>
        </CardBody>
      </Card>
    </div>
  )
}

type Doing = 'nothing' | 'set-up' | 'renew' | 'turn-off' | { codes: string[] }

function SecondFactor({ state }: { state: SecondFactorState }) {
  const [doing, setDoing] = useState<Doing>('nothing')
  const part = useRestoredFocus<HTMLDivElement>(typeof doing === 'object' ? 'codes' : doing)
  return (
    <div {...part}>
      <Step state={state} doing={doing} setDoing={setDoing} />
    </div>
  )
}

type StepProps = { state: SecondFactorState; doing: Doing; setDoing: (doing: Doing) => void }

function Step({ state, doing, setDoing }: StepProps) {
  const stop = () => setDoing('nothing')

  if (doing === 'set-up') return <SetUp doneText="Done" onDone={stop} onCancel={stop} />
  if (typeof doing === 'object') return <RecoveryCodes codes={doing.codes} doneText="Done" onDone={stop} />
  return (
    <section aria-labelledby="second-factor" className="grid gap-4">
      <div>
        <div className="flex flex-wrap items-center gap-3">
          <h2 id="second-factor" className="text-xl">
            Second factor
          </h2>
          <Badge variant={state.isOn ? 'leaf' : 'neutral'}>{state.isOn ? 'On' : 'Off'}</Badge>
        </div>
        <p className="mt-1.5 text-muted">{wordsOf(state)}</p>
      </div>
      {doing === 'nothing' && <Choices state={state} onChoose={setDoing} />}
      {doing === 'renew' && (
        <>
          <p className="text-muted">New codes replace the old ones.</p>
          <CodeForm
            send={async ({ code }) => setDoing({ codes: (await call(renewRecoveryCodes, { body: { code } })).recoveryCodes })}
            takesRecoveryCode
            changesSession
            buttonText="Create new codes"
            pendingText="Creating..."
          >
            <Cancel onClick={stop} />
          </CodeForm>
        </>
      )}
      {doing === 'turn-off' && (
        <CodeForm
          send={async (given) => {
            await call(turnOffSecondFactor, { body: given })
            stop()
            toast({ title: 'Second factor turned off' })
          }}
          changesSession
          asksPassword={state.hasPassword}
          takesRecoveryCode
          buttonText="Turn off"
          pendingText="Turning off..."
          variant="danger"
        >
          <Cancel onClick={stop} />
        </CodeForm>
      )}
    </section>
  )
}

const Cancel = ({ onClick }: { onClick: () => void }) => (
  <Button variant="secondary" onClick={onClick}>
    Cancel
  </Button>
)

function wordsOf({ isOn, isRequired, recoveryCodesLeft }: SecondFactorState): string {
  if (!isOn) {
    return isRequired
      ? 'Required for moderators and admins. Without it or a passkey, this account has a member’s permissions.'
      : 'Require a code from an authenticator app after your password, so a stolen password isn’t enough to sign in.'
  }
  const left = recoveryCodesLeft === 1 ? '1 recovery code is left.' : `${recoveryCodesLeft} recovery codes are left.`
  return `You’ll need a code from your authenticator app to sign in, unless you use a passkey. ${left}${recoveryCodesLeft < 3 ? ' Create new ones before they run out.' : ''}`
}

function Choices({ state, onChoose }: { state: SecondFactorState; onChoose: (doing: Doing) => void }) {
  if (!state.isOn) {
    return (
      <Button className="justify-self-start" onClick={() => onChoose('set-up')}>
        Set up
      </Button>
    )
  }
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => onChoose('renew')}>
        New recovery codes
      </Button>
      <Button variant="secondary" onClick={() => onChoose('set-up')}>
        Switch to another app
      </Button>
      {!state.isRequired && (
        <Button variant="quiet" onClick={() => onChoose('turn-off')}>
          Turn off
        </Button>
      )}
    </div>
  )
}

/** Until the second factor is confirmed, the server refuses the browser's push subscription. */
const renewPushes = (account: string): Promise<void> =>
  import('#web/screens/notifications/preferences-screen.tsx').then((screen) => screen.renewPushes(account)).catch(() => undefined)

/** Replaces every page except public ones until the session's second factor is confirmed, and then shows the requested page. */
export function SecondFactorScreen() {
  const user = useCurrentUser()
  return (
    <div className="mx-auto max-w-[29rem] px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <SignOutHeader />
      <section className="rounded-card border border-line bg-surface p-5 sm:p-8">
        <h1 className="text-2xl">Enter your code</h1>
        <p className="mt-2 mb-5 text-muted wrap-anywhere">
          {user?.email} has a second factor. Enter the code your authenticator app shows for {brand.name}.
        </p>
        <CodeForm
          send={async ({ code }) => {
            await call(passSecondFactor, { body: { code } })
            if (user) await renewPushes(user.id)
          }}
          changesSession
          takesRecoveryCode
          buttonText="Continue"
          pendingText="Checking..."
        />
      </section>
      <p className="mt-4 text-muted text-sm">
        Lost both the app and the recovery codes? Write to {brand.supportEmail} from your account’s email address.
      </p>
    </div>
  )
}
