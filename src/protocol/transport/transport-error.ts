/**
 * Why an exchange with a broker failed.
 * timeout: no answer within the deadline. connection: refused, reset, closed, name not found. tls, authentication: the login.
 * malformed: the answer does not decode. unsupported: the broker lacks the API or every version spoken here.
 * readOnly: a writing request, refused here and never sent.
 */
export type TransportFailure =
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'authentication'
  | 'malformed'
  | 'unsupported'
  | 'readOnly'

export class TransportError extends Error {
  override readonly name = 'TransportError'

  /**
   * @param failure the kind
   * @param sent false: the request certainly never reached a broker. true: it may have been carried out.
   */
  constructor(
    readonly failure: TransportFailure,
    message: string,
    readonly sent: boolean,
  ) {
    super(message)
  }
}
