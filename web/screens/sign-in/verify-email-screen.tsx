import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { verifyEmail } from '#contracts/accounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { OpenedLink } from './opened-link.tsx'

/** The page /auth/verify, opened from the mailed link. Opening it confirms the address. */
export default function VerifyEmailScreen({ token }: { token: string }) {
  return (
    <OpenedLink
      endpoint={verifyEmail}
      token={token}
      title="Confirming your email"
      failure="Your email couldn’t be confirmed"
      spent={
        <>
          <p>A link works for 24 hours. Sign in to get a new one.</p>
          <Button asChild className="mt-2">
            <Link to="/auth">Sign In</Link>
          </Button>
        </>
      }
    >
      {(isSignedIn) => (
        <Notice icon={<MailCheck />} title="Your email is confirmed">
          <p>{isSignedIn ? 'Thank you. You’re all set.' : 'Thank you. Sign in to continue.'}</p>
          <Button asChild className="mt-2">
            {isSignedIn ? <Link to="/">Continue</Link> : <Link to="/auth">Sign In</Link>}
          </Button>
        </Notice>
      )}
    </OpenedLink>
  )
}
