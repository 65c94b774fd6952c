import { textLink } from '#web/ui/link-styles.ts'

/** Opens the terms in a new tab, so that the form keeps its values. */
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
