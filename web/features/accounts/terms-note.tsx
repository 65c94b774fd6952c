import { textLink } from '../../ui/link-styles.ts'

/** The terms open beside what is being filled in. */
export function TermsNote({ action }: { action: string }) {
  return (
    <p className="text-muted text-sm">
      By {action} you agree to our{' '}
      <a href="/terms" target="_blank" rel="noreferrer" className={textLink}>
        Terms of Service
      </a>{' '}
      and{' '}
      <a href="/privacy" target="_blank" rel="noreferrer" className={textLink}>
        Privacy Policy
      </a>
      .
    </p>
  )
}
