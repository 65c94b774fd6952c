// Rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { brand } from '../../lib/boot.ts'
import { isMissingCode } from '../../lib/missing-code.ts'
import { TakeOver } from '../../lib/take-over.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'

/**
 * Stands in for a screen whose code did not arrive or whose rendering failed. It is part of the first load, because nothing can be fetched
 * any more when it is needed, and it leaves every reload to the person.
 */
export function ScreenError({ error }: { error: unknown }) {
  const missing = isMissingCode(error)
  return (
    <ErrorNotice
      level={1}
      title={missing ? 'This page could not be loaded' : 'This page ran into an error'}
      description={
        missing
          ? `You may be offline, or there is a new version of ${brand.name}. Check your connection, then reload the page.`
          : 'The fault is ours. Reload the page; if that does not help, please write to us.'
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
      <TakeOver />
    </ErrorNotice>
  )
}

/** The same where the frame around the screens failed, too. */
export function FramelessError({ error }: { error: unknown }) {
  return (
    <main className="grid min-h-dvh items-center">
      <ScreenError error={error} />
    </main>
  )
}
