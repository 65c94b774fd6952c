// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

/** What the specification shows while it is not known who is there. */
export function LoadingScreen() {
  return (
    <p role="status" className="grid min-h-[50vh] place-items-center text-muted">
      Loading...
    </p>
  )
}
