import { Confirmed, useIsStale } from './confirmed.tsx'

/** When the menu was last confirmed, and what follows when that is long ago. */
export function MenuAge({ at }: { at: string }) {
  const isStale = useIsStale(at)
  return (
    <>
      <Confirmed at={at} className="text-sm!" />
      {isStale && <span>Prices and stock may have changed: ask before you go.</span>}
    </>
  )
}
