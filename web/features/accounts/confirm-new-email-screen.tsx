import { Link } from '@tanstack/react-router'
import { MailCheck, MailX } from 'lucide-react'
import { confirmEmailChange } from '../../../contracts/sign-in.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from './notice.tsx'
import { OpenedLink } from './opened-link.tsx'

/** Where the link in the new mailbox leads: opening it is the change. */
export default function ConfirmNewEmailScreen({ token }: { token: string }) {
  return (
    <OpenedLink
      endpoint={confirmEmailChange}
      token={token}
      title="Confirming your new email"
      failure="Your new email could not be confirmed"
      refused={(error) =>
        error.code === 'email_taken' && (
          <Notice icon={<MailX />} tone="clay" title="This address is taken">
            <p>{messageOf(error)}</p>
            <ToSettings />
          </Notice>
        )
      }
      spent={
        <>
          <p>A link works for 24 hours, and another request ends it. Your account keeps the address it has. Ask for the change again.</p>
          <ToSettings />
        </>
      }
    >
      {(isSignedIn) => (
        <Notice icon={<MailCheck />} title="Your email was changed">
          <p>From now on you sign in with this address. We told the old one; for 7 days it can take the account back.</p>
          {isSignedIn ? (
            <ToSettings />
          ) : (
            <Button asChild className="mt-2">
              <Link to="/auth">Sign In</Link>
            </Button>
          )}
        </Notice>
      )}
    </OpenedLink>
  )
}

const ToSettings = () => (
  <Button asChild className="mt-2">
    <Link to="/settings" hash="sign-in">
      Settings
    </Link>
  </Button>
)
