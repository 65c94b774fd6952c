import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { verifyEmail } from '../../../contracts/accounts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from './notice.tsx'
import { OpenedLink } from './opened-link.tsx'

/** The page /auth/verify, where the mailed link leads: opening it is the confirmation. */
export default function VerifyEmailScreen({ token }: { token: string }) {
  return (
    <OpenedLink
      endpoint={verifyEmail}
      token={token}
      title="Confirming your email"
      failure="Your email could not be confirmed"
      spent={
        <>
          <p>A link works for 24 hours. Sign in, and we offer you a new one.</p>
          <Button asChild className="mt-2">
            <Link to="/auth">Sign In</Link>
          </Button>
        </>
      }
    >
      {(isSignedIn) => (
        <Notice icon={<MailCheck />} title="Your email is confirmed">
          <p>{isSignedIn ? 'Thank you. Everything is set.' : 'Thank you. Sign in to go on.'}</p>
          <Button asChild className="mt-2">
            {isSignedIn ? <Link to="/">Continue</Link> : <Link to="/auth">Sign In</Link>}
          </Button>
        </Notice>
      )}
    </OpenedLink>
  )
}
