-- Ends a statement whose snapshot turns out to be too old for what it is to write, as a serialization failure: it is run again.
CREATE FUNCTION fail_serialization() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the snapshot of this statement is too old for what it is to write' USING ERRCODE = 'serialization_failure';
END $$;
