/** Shown until the viewer is known, as specified. */
export function LoadingScreen() {
  return (
    <p role="status" className="grid min-h-[50vh] place-items-center text-muted">
      Loading...
    </p>
  )
}
