import { useState } from 'react'
import { connectOpenId, disconnectOpenId, type SignInState } from '../../../contracts/sign-in.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { toast } from '../../ui/toast-store.ts'
import { connectionProblem, connectionResult } from './connection-result.ts'
import { ProvenDialog } from './proven-dialog.tsx'

type OpenIdRowProps = { openId: NonNullable<SignInState['openId']>; isLocked: boolean }

/** The account at the operator's OpenID provider. */
export function OpenIdRow({ openId: { name, connectedAt }, isLocked }: OpenIdRowProps) {
  const [isOpen, setOpen] = useState(false)
  // Once: the address still says it when the section is looked at again.
  const [result] = useState(() => connectionResult(window.location.search))
  const isConnected = connectedAt !== null
  return (
    <SettingsTopic
      title={name}
      state={isConnected && <Badge variant="leaf">Connected</Badge>}
      hint={
        isConnected ? (
          <>
            Connected <Ago at={connectedAt} />. Whoever signs in there is signed in here.
          </>
        ) : (
          'Connect your account there to sign in with it.'
        )
      }
      action={
        <Button variant="secondary" disabled={isLocked} onClick={() => setOpen(true)}>
          {isConnected ? 'Disconnect' : 'Connect'}
        </Button>
      }
    >
      {result !== null && result !== 'connected' && !isConnected && (
        <div role="alert">
          <FieldError>{connectionProblem(result, name)}</FieldError>
        </div>
      )}
      {isOpen && (
        <ProvenDialog
          title={isConnected ? `Disconnect ${name}?` : `Connect ${name}`}
          confirmText={isConnected ? 'Disconnect' : `Go to ${name}`}
          pendingText="One moment..."
          {...(isConnected && { variant: 'danger' })}
          onConfirm={async (password) => {
            if (isConnected) {
              await call(disconnectOpenId, { body: { password } })
              toast({ title: `${name} was disconnected` })
            } else {
              const { location } = await call(connectOpenId, { body: { password } })
              window.location.assign(location)
            }
          }}
          onClose={() => setOpen(false)}
        >
          <p className="text-muted">
            {isConnected
              ? `You cannot sign in with ${name} any more. Your account and everything in it stay.`
              : `You sign in at ${name} once, and come back here. Its address may be another one than yours here.`}
          </p>
        </ProvenDialog>
      )}
    </SettingsTopic>
  )
}
