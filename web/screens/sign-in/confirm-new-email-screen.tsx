import { Link } from '@tanstack/react-router'
import { MailCheck, MailX } from 'lucide-react'
import { confirmEmailChange } from '#contracts/sign-in.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { OpenedLink } from './opened-link.tsx'

/** Target of the link mailed to the new address. Opening it completes the change. */
export default function ConfirmNewEmailScreen({ token }: { token: string }) {
  return (
    <OpenedLink
      endpoint={confirmEmailChange}
      token={token}
      title="Confirming your new email"
      failure="Your new email couldn’t be confirmed"
      refused={(error) =>
        error.code === 'email_taken' && (
          <Notice icon={<MailX />} tone="clay" title="This address is already in use">
            <p>{messageOf(error)}</p>
            <ToSettings />
          </Notice>
        )
      }
      spent={
        <>
          <p>
            A link works for 24 hours, and a newer request replaces it. Your account keeps its current address. Request the change again.
          </p>
          <ToSettings />
        </>
      }
    >
      {(isSignedIn) => (
        <Notice icon={<MailCheck />} title="Your email has changed">
          <p>You now sign in with this address. We emailed the old one, which can restore the account for 7 days.</p>
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
