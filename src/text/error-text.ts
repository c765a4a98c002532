/** What was thrown, in its own words; whatever it was. Not escaped, and of as many lines as it has. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
