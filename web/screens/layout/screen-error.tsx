import { isMissingCode } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { ErrorNotice } from '#web/ui/error-state.tsx'

/**
 * Replaces a screen whose code failed to load or whose rendering threw. Part of the initial bundle, because loading it might fail, too.
 * Never reloads by itself.
 */
export function ScreenError({ error }: { error: unknown }) {
  const missing = isMissingCode(error)
  return (
    <ErrorNotice
      level={1}
      title={missing ? 'This page couldn’t be loaded' : 'Something went wrong on this page'}
      description={
        missing
          ? `You may be offline, or there may be a new version of ${brand.name}. Check your connection, then reload the page.`
          : 'It’s our fault. Reload the page. If that doesn’t help, please contact us.'
      }
    >
      <button type="button" className={buttonClass()} onClick={() => window.location.reload()}>
        Reload
      </button>
      {!missing && (
        <a href="/contact" className={buttonClass('secondary')}>
          Contact us
        </a>
      )}
    </ErrorNotice>
  )
}

/** Replaces the frame, too. */
export function FramelessError({ error }: { error: unknown }) {
  return (
    <main className="grid min-h-dvh items-center">
      <ScreenError error={error} />
    </main>
  )
}
