import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SignInState } from '../../../contracts/sign-in.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { EmailRow } from './email-row.tsx'
import { OpenIdRow } from './openid-row.tsx'
import { PasskeysRow } from './passkeys-row.tsx'
import { PasswordRow } from './password-row.tsx'
import { RoleNotice } from './role-notice.tsx'
import { SessionsRow } from './sessions-row.tsx'
import { signInOptions } from './sign-in.api.ts'

/** How the account signs in, and where it is signed in. */
export default function SignInPart() {
  const query = useQuery(signInOptions)
  return (
    <SettingsSection id="sign-in" title="Sign-in and security" description="How you sign in, and where you are signed in.">
      <Loaded query={query} loadingLabel="Loading how you sign in..." skeleton={<Shapes />} failure="How you sign in could not be loaded">
        {(state) => (
          <>
            {state.mustShowSecondFactor && <RoleNotice state={state} />}
            <Rows state={state} />
          </>
        )}
      </Loaded>
    </SettingsSection>
  )
}

function Rows({ state }: { state: SignInState }) {
  const isLocked = state.mustShowSecondFactor
  return (
    <div className="grid divide-y divide-line">
      <EmailRow state={state} isLocked={isLocked} />
      <PasswordRow state={state} isLocked={isLocked} />
      <PasskeysRow state={state} isLocked={isLocked} />
      <SettingsTopic
        title="Second factor"
        state={<Badge variant={state.hasSecondFactor ? 'leaf' : 'neutral'}>{state.hasSecondFactor ? 'On' : 'Off'}</Badge>}
        hint={
          state.hasSecondFactor
            ? 'Signing in with a password also asks for a code of your authenticator app.'
            : 'A code of an app on your phone, asked for after the password.'
        }
        action={
          <Button asChild variant="secondary">
            <Link to="/security">{state.hasSecondFactor ? 'Manage' : 'Set it up'}</Link>
          </Button>
        }
      />
      {state.openId && <OpenIdRow openId={state.openId} isLocked={isLocked} />}
      <SessionsRow />
    </div>
  )
}

const Shapes = () => (
  <div className="grid gap-8">
    {[1, 2, 3, 4, 5].map((row) => (
      <div key={row} className="flex items-center justify-between gap-8">
        <SkeletonText className="flex-1" />
        <Skeleton className="h-10 w-36" />
      </div>
    ))}
  </div>
)
