export function errorName(code: number): string {
  return `error ${code}`
}
export function isRetriable(code: number): boolean {
  return [7].includes(code)
}
