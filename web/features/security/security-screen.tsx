import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { renewRecoveryCodes, type SecondFactorState, turnOffSecondFactor } from '../../../contracts/second-factor.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { quietLink } from '../../ui/link-styles.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { secondFactorOptions } from './security.api.ts'
import { SetUp } from './set-up.tsx'

/** The page /security: what signing in takes. */
export default function SecurityScreen() {
  const query = useQuery(secondFactorOptions)
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <Link to="/settings" hash="sign-in" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Settings
      </Link>
      <PageHeader title="Sign-in and security" description={`What signing in to ${brand.name} takes, besides your password.`} />
      <Card className="mt-6">
        <CardBody>
          <Loaded
            query={query}
            loadingLabel="Loading your second factor..."
            skeleton={<Skeleton className="h-40" />}
            failure="Your second factor could not be loaded"
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
          <p className="text-muted">New codes end the old ones.</p>
          <CodeForm
            send={async ({ code }) => setDoing({ codes: (await call(renewRecoveryCodes, { body: { code } })).recoveryCodes })}
            takesRecoveryCode
            changesSession
            buttonText="Make new codes"
            pendingText="Making..."
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
          buttonText="Turn it off"
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
      ? 'Moderators and admins need one: until it is set up, this account is a member’s.'
      : 'With it, a stolen password opens nothing: signing in also asks for a code of an app on your phone.'
  }
  const left = recoveryCodesLeft === 1 ? '1 recovery code is left.' : `${recoveryCodesLeft} recovery codes are left.`
  return `Signing in asks for a code of your authenticator app. ${left}${recoveryCodesLeft < 3 ? ' Make new ones before they run out.' : ''}`
}

function Choices({ state, onChoose }: { state: SecondFactorState; onChoose: (doing: Doing) => void }) {
  if (!state.isOn) {
    return (
      <Button className="justify-self-start" onClick={() => onChoose('set-up')}>
        Set it up
      </Button>
    )
  }
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => onChoose('renew')}>
        New recovery codes
      </Button>
      <Button variant="secondary" onClick={() => onChoose('set-up')}>
        Use another app
      </Button>
      {!state.isRequired && (
        <Button variant="quiet" onClick={() => onChoose('turn-off')}>
          Turn it off
        </Button>
      )}
    </div>
  )
}
