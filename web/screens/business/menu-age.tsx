import { Confirmed, useIsStale } from '#web/entities/menus/confirmed.tsx'

/** When the menu was last confirmed, with a warning if that is long ago. */
export function MenuAge({ at }: { at: string }) {
  const isStale = useIsStale(at)
  return (
    <>
      <Confirmed at={at} className="text-sm!" />
      {isStale && <span>Prices and stock may have changed. Ask before you go.</span>}
    </>
  )
}
