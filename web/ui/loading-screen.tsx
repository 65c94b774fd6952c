/** The specification's screen while it is unknown who is signed in. */
export function LoadingScreen() {
  return (
    <p role="status" className="grid min-h-[50vh] place-items-center text-muted">
      Loading...
    </p>
  )
}
