// React chooses its build when it is loaded. The development build is slower, and its performance entries would fill the memory
// during a long night. Imported before everything that imports React or Ink; a value that somebody set is kept.
process.env.NODE_ENV ??= 'production'
